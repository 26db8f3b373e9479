// Sends one HTTP request over one connection. The status decides the outcome. The start of the body is read, if it
// arrives in time, and stored with secrets redacted.

import type { IncomingHttpHeaders } from "node:http";
import { makeStorable, type StorableText } from "@ems/kit/readers";
import { storedBytesMax } from "@ems/proto/limits";
import { type Connection, destroyClient } from "./connections.ts";

export interface HttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response with the part of its body that was read, or the error if no headers arrived. */
export type HttpResponse =
  | {
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
      /** True if the body was read to its end, which makes the connection reusable. */
      readonly isComplete: boolean;
    }
  | { readonly status: undefined; readonly error: Error; readonly isComplete: false };

/** Limits for reading the body of a response. */
export interface BodyLimits {
  readonly bytesMax: number;
  /** Timeout for reading the body after the headers; undefined if the timeout of the attempt is enough. */
  readonly timeoutMs: number | undefined;
}

/** Limits for the response to an event, which is only stored in the delivery's log. */
export const loggedBody: BodyLimits = { bytesMax: 64 * 1024, timeoutMs: 1_000 };

const redaction = "[redacted]";
const bodyCutOff = new Error("the rest of the body is not read");

/** Sends a request. Never rejects: if `signal` is aborted, returns its error. */
export function sendRequest(
  { client }: Connection,
  request: HttpRequest,
  signal: AbortSignal,
  { bytesMax, timeoutMs }: BodyLimits = loggedBody,
): Promise<HttpResponse> {
  return new Promise((resolve) => {
    let head: { status: number; headers: IncomingHttpHeaders } | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;
    let bodyTimer: NodeJS.Timeout | undefined;
    let isOver = false;
    const end = (error: Error | undefined) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(bodyTimer);
      signal.removeEventListener("abort", abort);
      // Not reused, because the connection may still contain the rest of this response.
      if (error !== undefined) destroyClient(client, error);
      if (head === undefined)
        return resolve({ status: undefined, error: error ?? new Error("no response"), isComplete: false });
      const body = Buffer.concat(chunks, Math.min(bytes, bytesMax));
      resolve({ ...head, body, isComplete: error === undefined });
    };
    const abort = () => end(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort);
    client.dispatch(
      { ...request, method: "POST" },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, status, headers) => {
          // Ignores informational responses, which come before the final response.
          if (status < 200) return;
          head = { status, headers };
          if (timeoutMs !== undefined) bodyTimer = setTimeout(end, timeoutMs, bodyCutOff);
        },
        onResponseData: (_, chunk) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > bytesMax) end(bodyCutOff);
        },
        onResponseEnd: () => end(undefined),
        onResponseError: (_, error) => end(error),
      },
    );
  });
}

/**
 * Returns the first `storedBytesMax` bytes of `body` as text. Redacts `secrets` both in plain form and as written in
 * JSON.
 */
export function redactedText(body: Buffer, secrets: readonly string[]): StorableText {
  if (body.length === 0) return makeStorable("");
  const { anyForm, bytesMax } = buildPattern(secrets);
  // Decodes more than is stored, because otherwise the beginning of a secret at the limit would not be redacted.
  const text = decode(body.subarray(0, storedBytesMax + bytesMax));
  const redacted = anyForm === undefined ? text : text.replaceAll(anyForm, redaction);
  return makeStorable(truncate(makeStorable(redacted), storedBytesMax));
}

interface SecretPattern {
  /** Matches any form of any secret; undefined if there are no secrets. */
  readonly anyForm: RegExp | undefined;
  /** Length of the longest form in bytes. */
  readonly bytesMax: number;
}

/** Cache by the list of secrets, which is the same object for all deliveries of one webhook. */
const patterns = new WeakMap<readonly string[], SecretPattern>();

function buildPattern(secrets: readonly string[]): SecretPattern {
  const cached = patterns.get(secrets);
  if (cached !== undefined) return cached;
  const forms = secrets.flatMap(listForms).sort((a, b) => b.length - a.length);
  const anyForm = forms.length === 0 ? undefined : new RegExp(forms.map(escapeRegExp).join("|"), "g");
  const bytesMax = Math.max(0, ...secrets.map((secret) => 2 * Buffer.byteLength(secret)));
  const pattern = { anyForm, bytesMax };
  patterns.set(secrets, pattern);
  return pattern;
}

/** Returns the forms of a secret: itself, its words (such as a token without "Bearer"), and each as written in JSON. */
function listForms(secret: string): string[] {
  const words = secret.split(" ").filter((word) => word.length >= 8);
  const all = [secret, ...words, secret.replace(/^whsec_/, "")];
  return all.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]).filter((form) => form !== "");
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function decode(bytes: Buffer): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Truncates `text` to a number of bytes, without a partial character at its end. */
function truncate(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  return decode(bytes.subarray(0, bytesMax)).replace(/\ufffd{1,3}$/, "");
}
