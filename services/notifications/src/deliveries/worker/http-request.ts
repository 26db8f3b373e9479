// One HTTP request over one connection. The status decides the outcome. The start of the body that arrives in time is
// read, and stored with secrets redacted.

import type { IncomingHttpHeaders } from "node:http";
import { makeStorable, type StorableText } from "@ems/kit/readers";
import { storedBytesMax } from "@ems/proto/limits";
import { type Connection, destroyClient } from "./connections.ts";

export interface HttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Response with the read part of its body, or the error if no headers arrived. */
export type HttpResponse =
  | {
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
      /** True if the body was read to its end, so that the connection can be reused. */
      readonly isComplete: boolean;
    }
  | { readonly status: undefined; readonly error: Error; readonly isComplete: false };

/** Limits for reading a response's body. */
export interface BodyLimits {
  readonly bytesMax: number;
  /** Timeout of the body after the headers; undefined if the attempt's timeout suffices. */
  readonly timeoutMs: number | undefined;
}

/** Limits for the response to an event, which is only logged. */
export const loggedBody: BodyLimits = { bytesMax: 64 * 1024, timeoutMs: 1_000 };

const redaction = "[redacted]";
const bodyCutOff = new Error("the rest of the body is not read");

/** Sends a request. Never rejects; aborting `signal` returns its error. */
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
      // The connection may still contain the rest of this response, so it is not reused.
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
          // Informational responses precede the final response.
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
 * Returns the first `storedBytesMax` bytes of `body` as text, with `secrets` redacted both unchanged and in JSON's
 * form.
 */
export function redactedText(body: Buffer, secrets: readonly string[]): StorableText {
  if (body.length === 0) return makeStorable("");
  const { anyForm, bytesMax } = buildPattern(secrets);
  // Decode more than is stored: a secret that crosses the limit would keep its beginning.
  const text = decode(body.subarray(0, storedBytesMax + bytesMax));
  const redacted = anyForm === undefined ? text : text.replaceAll(anyForm, redaction);
  return makeStorable(truncate(makeStorable(redacted), storedBytesMax));
}

interface SecretPattern {
  /** Matches any form of any secret; undefined without secrets. */
  readonly anyForm: RegExp | undefined;
  /** Maximum number of bytes of the longest form. */
  readonly bytesMax: number;
}

/** Cache by list of secrets, which deliveries of one webhook share. */
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

/** Lists the forms of a secret: unchanged, its words (a token without "Bearer"), and each in JSON's form. */
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

/** Truncates `text` to a number of bytes, without a partial character at the end. */
function truncate(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  return decode(bytes.subarray(0, bytesMax)).replace(/\ufffd{1,3}$/, "");
}
