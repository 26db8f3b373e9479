// Backpressure: bytes of responses that clients have not read yet are bounded, per application and in total.

import type { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import { concurrencyLimited, overloaded } from "@ems/kit/errors";
import type { FastifyInstance } from "fastify";
import type { GatewayConfig } from "../config.ts";
import { countRejection } from "../telemetry.ts";

const retryAfterMs = 1_000;

type Config = Pick<GatewayConfig, "ANSWERS_WAITING_MAX_BYTES" | "ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES">;

export class ResponseBuffers {
  readonly #maxBytes: number;
  readonly #maxBytesPerApplication: number;
  readonly #bytesByApplication = new Map<string, number>();
  #totalBytes = 0;

  constructor({ ANSWERS_WAITING_MAX_BYTES, ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES }: Config) {
    this.#maxBytes = ANSWERS_WAITING_MAX_BYTES;
    this.#maxBytesPerApplication = ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES;
  }

  /** Throws when the application, or all together, have reached the limit; one more response may then exceed it. */
  check(applicationId: string): void {
    const bytes = this.#bytesByApplication.get(applicationId) ?? 0;
    // Dynamic threshold: an application never holds more than is left for the others.
    if (bytes > 0 && bytes >= Math.min(this.#maxBytesPerApplication, this.#maxBytes - this.#totalBytes)) {
      countRejection({ reason: "answers_of_application" });
      throw concurrencyLimited("Too many unread responses of this application", retryAfterMs);
    }
    if (this.#totalBytes >= this.#maxBytes) {
      countRejection({ reason: "answers" });
      throw overloaded("Too many unread responses", retryAfterMs);
    }
  }

  /** Counts `bytes` until `response` closes. */
  track(applicationId: string, bytes: number, response: Pick<EventEmitter, "once">): void {
    this.#add(applicationId, bytes);
    response.once("close", () => this.#add(applicationId, -bytes));
  }

  #add(applicationId: string, change: number): void {
    const bytes = (this.#bytesByApplication.get(applicationId) ?? 0) + change;
    if (bytes > 0) this.#bytesByApplication.set(applicationId, bytes);
    else this.#bytesByApplication.delete(applicationId);
    this.#totalBytes += change;
  }
}

const chunkBytes = 64 * 1024;

/** Streams large payloads in chunks: shows a slow client's progress and avoids a second copy in the socket. */
export function sendInChunks(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    const isText = typeof payload === "string";
    if (!(isText || Buffer.isBuffer(payload)) || payload.length <= chunkBytes || request.method === "HEAD") {
      return done(null, payload);
    }
    const bytes = isText ? Buffer.from(payload) : payload;
    reply.header("content-length", bytes.length);
    done(null, Readable.from(chunksOf(bytes), { objectMode: false }));
  });
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}
