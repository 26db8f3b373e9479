// One HTTP request over one connection. The status decides; of the body, the beginning that comes soon is read.

import type { IncomingHttpHeaders } from "node:http";
import { type Connection, destroyClient } from "./connections.ts";
import { readBytesMax } from "./response-text.ts";

export interface HttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response with what was read of its body, or the error when no headers came. */
export type HttpResponse =
  | {
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
      /** Whether the body was read to its end: then the connection can be reused. */
      readonly isComplete: boolean;
    }
  | { readonly status: undefined; readonly error: Error; readonly isComplete: false };

/** The body's timeout once the headers came: it is for the log only. */
const bodyTimeoutMs = 1_000;
const bodyCutOff = new Error("the rest of the body is not read");

/** Never rejects; `signal` aborts it with an error. */
export function sendRequest({ client }: Connection, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
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
      // The connection may still carry the rest of this response: it is not reused.
      if (error !== undefined) destroyClient(client, error);
      if (head === undefined)
        return resolve({ status: undefined, error: error ?? new Error("no response"), isComplete: false });
      const body = Buffer.concat(chunks, Math.min(bytes, readBytesMax));
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
          // Informational responses come before the response proper.
          if (status < 200) return;
          head = { status, headers };
          bodyTimer = setTimeout(end, bodyTimeoutMs, bodyCutOff);
        },
        onResponseData: (_, chunk) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > readBytesMax) end(bodyCutOff);
        },
        onResponseEnd: () => end(undefined),
        onResponseError: (_, error) => end(error),
      },
    );
  });
}
