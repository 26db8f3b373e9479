// Whether a request of the API is let in: its body while it arrives, its work, its answer; each a fair share per application.
// Health and documentation pass by none of these.

import { setImmediate } from "node:timers/promises";
import { unavailable } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { GatewayConfig } from "../config.ts";
import { countRefusal } from "../telemetry.ts";
import type { LoopTurns } from "./event-loop-yield.ts";
import { watchLoad } from "./load-shedding.ts";
import { refusal } from "./rejection.ts";
import { WaitingAnswers } from "./response-buffer.ts";

/** An answer of so many characters takes as long to write as several small requests do. */
const largeAnswer = 64 * 1024;

export class Admission {
  readonly #answers: WaitingAnswers;
  readonly #load: Pick<ReturnType<typeof watchLoad>, "isOverloaded">;
  /** Bodies that are known to be an application's and have not come to their end. */
  readonly #arriving: TenantConcurrencyLimiter;
  /** Requests at work: from the complete body to the handler's answer. */
  readonly #atWork: TenantConcurrencyLimiter;
  readonly #turns: LoopTurns;
  /** Applications whose last answer was large: the next one may be, too. */
  readonly #writeLarge = new LRUCache<string, true>({ max: 1_000 });

  constructor(app: FastifyInstance, config: GatewayConfig, turns: LoopTurns) {
    this.#turns = turns;
    const load = watchLoad(config.EVENT_LOOP_DELAY_MAX_MS);
    app.addHook("onClose", async () => load.stop());
    app.decorateRequest("hasArrived", undefined);
    this.#load = load;
    this.#answers = new WaitingAnswers(config);
    this.#arriving = new TenantConcurrencyLimiter({
      max: config.ARRIVING_MAX,
      maxPerKey: config.ARRIVING_PER_APPLICATION_MAX,
      reject: refusal("arriving", "Too many request bodies"),
    });
    this.#atWork = new TenantConcurrencyLimiter({
      max: config.IN_FLIGHT_MAX,
      maxPerKey: config.IN_FLIGHT_PER_APPLICATION_MAX,
      reject: refusal("in_flight", "Too many requests"),
    });
  }

  /** Work that would only wait is refused at once, so that what runs still answers in time. */
  checkLoad(): void {
    if (!this.#load.isOverloaded()) return;
    countRefusal({ reason: "overload" });
    throw unavailable("Too many requests at once");
  }

  /** Before the body is read: throws when the application has too much on its way, in or out. */
  async receive(request: FastifyRequest, { raw: response }: FastifyReply): Promise<void> {
    const applicationId = applicationOf(request);
    this.#answers.check(applicationId);
    if (request.raw.complete) return;
    if (!this.#arriving.tryAcquire(applicationId)) {
      // A small body comes in one piece with its headers, and is read right after them.
      await setImmediate();
      if (request.raw.complete) return;
      throw this.#arriving.rejection(applicationId);
    }
    request.hasArrived = () => {
      request.hasArrived = undefined;
      this.#arriving.release(applicationId);
    };
    response.once("close", () => request.hasArrived?.());
  }

  /** Does the work for a request whose body has arrived. */
  async work<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const applicationId = applicationOf(request);
    request.hasArrived?.();
    if (!this.#atWork.tryAcquire(applicationId)) throw this.#atWork.rejection(applicationId);
    try {
      return await work();
    } finally {
      this.#atWork.release(applicationId);
    }
  }

  /** Makes an answer and counts it until it is taken; what was only read is not even written where too much waits. */
  async answer(
    request: FastifyRequest,
    { raw: response }: FastifyReply,
    isRead: boolean,
    write: () => string,
  ): Promise<string> {
    const applicationId = applicationOf(request);
    if (this.#writeLarge.has(applicationId)) await this.#turns.take(applicationId);
    if (isRead) this.#answers.check(applicationId);
    const json = write();
    if (json.length >= largeAnswer) this.#writeLarge.set(applicationId, true);
    else this.#writeLarge.delete(applicationId);
    this.#answers.hold(applicationId, Buffer.byteLength(json), response);
    return json;
  }
}

function applicationOf({ tenant }: FastifyRequest): string {
  if (tenant === undefined) throw new Error("a request is admitted before its tenant is known");
  return tenant.applicationId;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Ends the counting of a body that is on its way. */
    hasArrived: (() => void) | undefined;
  }
}
