// Answers that wait to be taken are memory that a client decides over: their bytes are bounded, per application and in all.
// What counts is the JSON that is sent, which can be six times what is stored.

import type { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import { tooManyRequests, unavailable } from "@ems/kit/errors";
import type { FastifyInstance } from "fastify";
import type { GatewayConfig } from "../config.ts";
import { countRefusal } from "../telemetry.ts";

const retryAfterMs = 1_000;

type AnswersConfig = Pick<GatewayConfig, "ANSWERS_WAITING_MAX_BYTES" | "ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES">;

export class WaitingAnswers {
  readonly #max: number;
  readonly #maxPerApplication: number;
  readonly #waiting = new Map<string, number>();
  #inAll = 0;

  constructor({ ANSWERS_WAITING_MAX_BYTES, ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES }: AnswersConfig) {
    this.#max = ANSWERS_WAITING_MAX_BYTES;
    this.#maxPerApplication = ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES;
  }

  /** Throws when the application leaves so much untaken that it may ask for no more; that may be one answer more than the limit. */
  check(applicationId: string): void {
    const waiting = this.#waiting.get(applicationId) ?? 0;
    // Dynamic threshold: an application never has more than is left over, so that others find room.
    if (waiting > 0 && waiting >= Math.min(this.#maxPerApplication, this.#max - this.#inAll)) {
      countRefusal({ reason: "answers_of_application" });
      throw tooManyRequests("Too many answers of this application that are not taken", retryAfterMs);
    }
    if (this.#inAll >= this.#max) {
      countRefusal({ reason: "answers" });
      throw unavailable("Too many answers that are not taken", undefined, retryAfterMs);
    }
  }

  /** Counts `bytes` until `response` is taken or given up. */
  hold(applicationId: string, bytes: number, response: Pick<EventEmitter, "once">): void {
    this.#add(applicationId, bytes);
    response.once("close", () => this.#add(applicationId, -bytes));
  }

  #add(applicationId: string, bytes: number): void {
    const waiting = (this.#waiting.get(applicationId) ?? 0) + bytes;
    if (waiting > 0) this.#waiting.set(applicationId, waiting);
    else this.#waiting.delete(applicationId);
    this.#inAll += bytes;
  }
}

const partBytes = 64 * 1024;

/** Large answers go out part by part, as they are taken: that shows progress, and is no second copy at the socket. */
export function sendInParts(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    const isText = typeof payload === "string";
    if (!(isText || Buffer.isBuffer(payload)) || payload.length <= partBytes || request.method === "HEAD") {
      return done(null, payload);
    }
    const bytes = isText ? Buffer.from(payload) : payload;
    reply.header("content-length", bytes.length);
    done(null, Readable.from(partsOf(bytes), { objectMode: false }));
  });
}

function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += partBytes) yield bytes.subarray(start, start + partBytes);
}
