// One request and its answer over one connection. The status is the answer: of the body so much is read as is kept and comes
// soon, the rest is cut off.

import type { IncomingHttpHeaders } from "node:http";
import { type Connection, discard } from "./connections.ts";
import { readBytesMax } from "./response-text.ts";

export interface HttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer whose headers came, and as much of its body as came in time; or why none came. */
export type HttpAnswer =
  | {
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
      /** Whether the body came to its end: then the connection can be used again. */
      readonly isWhole: boolean;
    }
  | { readonly status: undefined; readonly error: Error; readonly isWhole: false };

/** How long a body may take once the headers came: the status has decided, the body is for the log only. */
const bodyMs = 1_000;
/** Thrown at connections of whose answer enough came. */
const enough = new Error("no more of the answer is read");

/** Never rejects. `ending` tells with what error to end it early. */
export function exchange({ client }: Connection, request: HttpRequest, ending: Cancellation): Promise<HttpAnswer> {
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
      ending.off(end);
      // What is still on its way belongs to nobody: the connection is of no use any more.
      if (error !== undefined) discard(client, error);
      if (head === undefined)
        return resolve({ status: undefined, error: error ?? new Error("no answer"), isWhole: false });
      const body = Buffer.concat(chunks, Math.min(bytes, readBytesMax));
      resolve({ ...head, body, isWhole: error === undefined });
    };
    ending.on(end);
    client.dispatch(
      { ...request, method: "POST" },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, status, headers) => {
          // Hints before the answer proper are no answer.
          if (status < 200) return;
          head = { status, headers };
          bodyTimer = setTimeout(end, bodyMs, enough);
        },
        onResponseData: (_, chunk) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > readBytesMax) end(enough);
        },
        onResponseEnd: () => end(undefined),
        onResponseError: (_, error) => end(error),
      },
    );
  });
}

/** What ends an attempt before its time: whoever is at work on it listens. */
export class Cancellation {
  #error: Error | undefined;
  readonly #listeners = new Set<(error: Error) => void>();

  get error(): Error | undefined {
    return this.#error;
  }

  end(error: Error): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    for (const listener of this.#listeners) listener(error);
  }

  on(listener: (error: Error) => void): void {
    if (this.#error !== undefined) listener(this.#error);
    else this.#listeners.add(listener);
  }

  off(listener: (error: Error) => void): void {
    this.#listeners.delete(listener);
  }
}
