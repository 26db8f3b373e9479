// One request and its answer over one connection. Of the answer so much is read as is kept; the rest is cut off.

import type { IncomingHttpHeaders } from "node:http";
import { readBytesMax } from "./answer.ts";
import type { Connection } from "./connections.ts";

export interface HttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** As much as came of an answer: the status when its headers came, an error when it did not end well. */
export interface HttpAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly error: Error | undefined;
}

/** Thrown at connections whose answer is long enough. */
const longEnough = new Error("the answer is longer than is read");

/** Never rejects. `ending` tells with what error to end it early. */
export function exchange({ client }: Connection, request: HttpRequest, ending: Ending): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    let status: number | undefined;
    let headers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isOver = false;
    const end = (error?: Error) => {
      if (isOver) return;
      isOver = true;
      ending.off(end);
      // What is still on its way belongs to nobody: the connection is of no use any more.
      if (error !== undefined) void client.destroy(error);
      const body = Buffer.concat(chunks, Math.min(bytes, readBytesMax));
      resolve({ status, headers, body, error: error === longEnough ? undefined : error });
    };
    ending.on(end);
    client.dispatch(
      { ...request, method: "POST" },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, code, received) => {
          // Hints before the answer proper are no answer.
          if (code < 200) return;
          status = code;
          headers = received;
        },
        onResponseData: (_, chunk) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > readBytesMax) end(longEnough);
        },
        onResponseEnd: () => end(),
        onResponseError: (_, error) => end(error),
      },
    );
  });
}

/** What ends an attempt before its time: whoever is at work on it listens. */
export class Ending {
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
