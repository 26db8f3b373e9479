// Admission control for API requests: concurrency limits per application for arriving bodies, running requests and
// unread responses. Health checks and the reference bypass it.

import { setImmediate } from "node:timers/promises";
import { unavailable } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { GatewayConfig } from "../config.ts";
import { countRejection } from "../telemetry.ts";
import type { EventLoopYield } from "./event-loop-yield.ts";
import { type LoadMonitor, monitorLoad } from "./load-shedding.ts";
import { rejection } from "./rejection.ts";
import { ResponseBuffers } from "./response-buffer.ts";

/** Serializing so many characters takes as long as several small requests. */
const largeResponseChars = 64 * 1024;

export class Admission {
  readonly #buffers: ResponseBuffers;
  readonly #load: LoadMonitor;
  /** Authenticated requests whose body is not complete. */
  readonly #arriving: TenantConcurrencyLimiter;
  /** Requests from the complete body to the handler's response. */
  readonly #running: TenantConcurrencyLimiter;
  readonly #eventLoop: EventLoopYield;
  /** Applications whose previous response was large, as the next one may be. */
  readonly #largeResponses = new LRUCache<string, true>({ max: 1_000 });

  constructor(app: FastifyInstance, config: GatewayConfig, eventLoop: EventLoopYield) {
    this.#eventLoop = eventLoop;
    this.#load = monitorLoad(config.EVENT_LOOP_DELAY_MAX_MS);
    app.addHook("onClose", async () => this.#load.stop());
    app.decorateRequest("bodyArrived", undefined);
    this.#buffers = new ResponseBuffers(config);
    this.#arriving = new TenantConcurrencyLimiter({
      max: config.ARRIVING_MAX,
      maxPerKey: config.ARRIVING_PER_APPLICATION_MAX,
      reject: rejection("arriving", "Too many request bodies"),
    });
    this.#running = new TenantConcurrencyLimiter({
      max: config.IN_FLIGHT_MAX,
      maxPerKey: config.IN_FLIGHT_PER_APPLICATION_MAX,
      reject: rejection("in_flight", "Too many requests"),
    });
  }

  /** Load shedding: rejects new requests at once, so that running ones meet their deadlines. */
  checkLoad(): void {
    if (!this.#load.isOverloaded()) return;
    countRejection({ reason: "overload" });
    throw unavailable("Too many requests at once");
  }

  /** Before the body is read: throws when the application has too many arriving bodies or unread responses. */
  async admitBody(request: FastifyRequest, { raw: response }: FastifyReply): Promise<void> {
    const applicationId = applicationOf(request);
    this.#buffers.check(applicationId);
    if (request.raw.complete) return;
    if (!this.#arriving.tryAcquire(applicationId)) {
      // A small body that came in one packet with its headers is parsed right after them.
      await setImmediate();
      if (request.raw.complete) return;
      throw this.#arriving.rejection(applicationId);
    }
    request.bodyArrived = () => {
      request.bodyArrived = undefined;
      this.#arriving.release(applicationId);
    };
    response.once("close", () => request.bodyArrived?.());
  }

  /** Runs the handler of a request whose body is complete. */
  async run<T>(request: FastifyRequest, handle: () => Promise<T>): Promise<T> {
    const applicationId = applicationOf(request);
    request.bodyArrived?.();
    if (!this.#running.tryAcquire(applicationId)) throw this.#running.rejection(applicationId);
    try {
      return await handle();
    } finally {
      this.#running.release(applicationId);
    }
  }

  /** Serializes a response and counts it until the client has read it. A read is rejected before that when too much is unread. */
  async serialize(
    request: FastifyRequest,
    { raw: response }: FastifyReply,
    isReadOnly: boolean,
    body: () => string | Buffer,
  ): Promise<string | Buffer> {
    const applicationId = applicationOf(request);
    if (this.#largeResponses.has(applicationId)) await this.#eventLoop.wait(applicationId);
    if (isReadOnly) this.#buffers.check(applicationId);
    const bytes = body();
    if (bytes.length >= largeResponseChars) this.#largeResponses.set(applicationId, true);
    else this.#largeResponses.delete(applicationId);
    this.#buffers.track(applicationId, Buffer.byteLength(bytes), response);
    return bytes;
  }
}

function applicationOf({ tenant }: FastifyRequest): string {
  if (tenant === undefined) throw new Error("admission control requires an authenticated request");
  return tenant.applicationId;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Releases the place of an arriving body. */
    bodyArrived: (() => void) | undefined;
  }
}
