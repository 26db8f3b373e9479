// Admission control for API requests: concurrency limits per application for arriving bodies, running requests and
// unread responses. Health checks and the reference bypass it.

import type { EventEmitter } from "node:events";
import { setImmediate } from "node:timers/promises";
import { type Clock, clockFault, systemClock } from "@ems/kit/clock";
import { overloaded, unavailable } from "@ems/kit/errors";
import { entriesAtMost } from "@ems/kit/limits/cache-entries";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { EventLoopYield } from "@ems/kit/limits/event-loop-yield";
import { LRUCache } from "lru-cache";
import type { GatewayConfig } from "../config.ts";
import { countRejection } from "../telemetry.ts";
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
  readonly #clock: Clock;
  /** Applications whose previous response was large, as the next one may be. */
  readonly #largeResponses = new LRUCache<string, true>(entriesAtMost(1_000));

  constructor(config: GatewayConfig, eventLoop: EventLoopYield, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#eventLoop = eventLoop;
    this.#load = monitorLoad(config.EVENT_LOOP_DELAY_MAX_MS);
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
    throw overloaded("Too many requests at once");
  }

  /** Refuses work while the clock of the process is wrong; its services would refuse what it signs and dates. */
  checkClock(): void {
    const fault = clockFault(this.#clock);
    if (fault === undefined) return;
    countRejection({ reason: "clock_skew" });
    throw unavailable(undefined, new Error(fault));
  }

  stop(): void {
    this.#load.stop();
  }

  /**
   * Before the body is read: throws when the application has too many arriving bodies or unread responses. The result ends
   * the arrival.
   */
  async admitBody(
    applicationId: string,
    request: { readonly complete: boolean },
    response: Pick<EventEmitter, "once">,
  ): Promise<() => void> {
    this.#buffers.check(applicationId);
    if (request.complete) return nothing;
    if (!this.#arriving.tryAcquire(applicationId)) {
      // A small body that came in one packet with its headers is parsed right after them.
      await setImmediate();
      if (request.complete) return nothing;
      throw this.#arriving.rejection(applicationId);
    }
    let isArriving = true;
    const arrived = () => {
      if (isArriving) this.#arriving.release(applicationId);
      isArriving = false;
    };
    response.once("close", arrived);
    return arrived;
  }

  /** Runs the handler of a request whose body is complete. */
  async run<T>(applicationId: string, handle: () => Promise<T>): Promise<T> {
    if (!this.#running.tryAcquire(applicationId)) throw this.#running.rejection(applicationId);
    try {
      return await handle();
    } finally {
      this.#running.release(applicationId);
    }
  }

  /** Serializes a response and counts it until the client has read it. A read is rejected before that when too much is unread. */
  async serialize(
    applicationId: string,
    response: Pick<EventEmitter, "once">,
    isReadOnly: boolean,
    body: () => string | Buffer,
  ): Promise<string | Buffer> {
    if (this.#largeResponses.has(applicationId)) await this.#eventLoop.wait(applicationId);
    if (isReadOnly) this.#buffers.check(applicationId);
    const bytes = body();
    if (bytes.length >= largeResponseChars) this.#largeResponses.set(applicationId, true);
    else this.#largeResponses.delete(applicationId);
    this.#buffers.track(applicationId, Buffer.byteLength(bytes), response);
    return bytes;
  }
}

function nothing(): void {}
