// The budget of a request: what it may cost and hold, per application and in total, from its headers until the client has
// read the response. Health checks and the reference have none.

import type { EventEmitter } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { type Clock, clockFault, systemClock } from "@ems/kit/clock";
import { canceled, overloaded, unavailable } from "@ems/kit/errors";
import { eventLoop } from "@ems/kit/limits/event-loop-yield";
import { requestCost, responseCost } from "@ems/kit/limits/request-cost";
import { watchdog } from "@ems/kit/telemetry/watchdog";
import type { GatewayConfig } from "../config.ts";
import { countRejection } from "../telemetry.ts";
import { assertWithin, type BodySize, bodyTooLarge, gunzipBody, largeTokens, receiveBody, tokensOf } from "./body.ts";
import { type Limits, limitsOf } from "./limits.ts";
import { type LoadMonitor, monitorLoad } from "./load-shedding.ts";
import type { ValueLimits } from "./measure-message.ts";
import type { Caller } from "./rate-limits.ts";

/** Serializing so many characters takes as long as several small requests. */
const largeResponseChars = 64 * 1024;

type Response = Pick<EventEmitter, "once"> & { readonly closed?: boolean };
/** The RPC of a request, and the name of its own rate limit, if it has one. */
interface Rpc {
  readonly method: DescMethod;
  readonly rateLimit?: string;
}

/** The limits that all requests share. */
export class Budgets {
  readonly #limits: Limits;
  readonly #load: LoadMonitor;
  readonly #clock: Clock;

  constructor(config: GatewayConfig, clock: Clock = systemClock) {
    this.#limits = limitsOf(config);
    this.#load = monitorLoad(config.EVENT_LOOP_DELAY_MAX_MS);
    this.#clock = clock;
  }

  /** Bytes of bodies that all requests hold. */
  get bodyBytes(): number {
    return this.#limits.bodyBytes.running;
  }

  /**
   * Refuses new requests while the event loop is overloaded, so that running ones meet their deadlines, and while the clock
   * of the process is wrong: services would refuse what it signs and dates.
   */
  checkProcess(): void {
    if (this.#load.isOverloaded()) {
      countRejection({ reason: "overload" });
      throw overloaded("Too many requests at once");
    }
    const fault = clockFault(this.#clock);
    if (fault === undefined) return;
    countRejection({ reason: "clock_skew" });
    throw unavailable(undefined, new Error(fault));
  }

  /** The budget of a request of `caller`. `charged` is called with the state of the rate limits as headers, whenever it changes. */
  open(caller: Caller, charged: Charged = () => undefined): RequestBudget {
    return new RequestBudget(this.#limits, caller, charged);
  }

  stop(): void {
    this.#load.stop();
  }
}

type Charged = (headers: Record<string, string>) => void;

/** The places, bytes and tokens of one request. */
export class RequestBudget {
  readonly #limits: Limits;
  readonly #caller: Caller;
  readonly #charged: Charged;
  #bodyBytes = 0;
  #isReleased = false;
  #isArriving = false;
  /** Its steps take turns with other requests, since its body is more than a token's worth. */
  #takesTurns = false;

  constructor(limits: Limits, caller: Caller, charged: Charged) {
    this.#limits = limits;
    this.#caller = caller;
    this.#charged = charged;
  }

  /** Charges the request itself; throws rateLimited. */
  charge(): void {
    this.#charged(this.#limits.rateLimits.consume(this.#caller));
  }

  /** Charges what the request costs by the rate limit of its RPC; throws rateLimited. */
  chargeCall({ method, rateLimit }: Rpc, message: Message): void {
    if (rateLimit === undefined) return;
    this.#charged(this.#limits.rateLimits.consumePolicy(this.#caller, rateLimit, requestCost(method, message)));
  }

  /** Charges what only the response tells. */
  chargeResponse({ method, rateLimit }: Rpc, response: Message): void {
    const cost = rateLimit === undefined ? 0 : responseCost(method, response);
    if (rateLimit === undefined || cost === 0) return;
    this.#charged(this.#limits.rateLimits.chargePolicy(this.#caller, rateLimit, cost));
  }

  /**
   * Before the body is read: throws when the application has too many arriving bodies or unread responses. Everything is
   * released when the response closes.
   */
  async admit(request: { readonly complete: boolean }, response: Response): Promise<void> {
    const { arriving, unreadBytes } = this.#limits;
    const { applicationId } = this.#caller;
    // Gone while it was authenticated: no event would release anything.
    if (response.closed === true) throw canceled();
    response.once("close", () => this.release());
    unreadBytes.check(applicationId);
    if (request.complete) return;
    if (!arriving.tryAcquire(applicationId)) {
      // A small body that came in one packet with its headers is parsed right after them.
      await setImmediate();
      if (request.complete) return;
      throw arriving.rejection(applicationId);
    }
    this.#isArriving = true;
  }

  /** The whole body; its bytes count until they are released. */
  async receive(stream: Readable, headers: IncomingHttpHeaders, bytesMax: number): Promise<Buffer> {
    if (Number(headers["content-length"] ?? 0) > 2 * bytesMax) throw bodyTooLarge(bytesMax);
    return receiveBody(stream, bytesMax, this);
  }

  /** The decompressed body; undefined when it is not valid gzip. */
  decompress(bytes: Buffer, bytesMax: number): Promise<Buffer | undefined> {
    return this.#limits.largeBodies.run(this.#caller.applicationId, undefined, () => {
      // Charged before decompression, so that a client over its limit causes none.
      this.#chargeBody(1);
      return gunzipBody(bytes, bytesMax, this);
    });
  }

  /** Counts bytes of the body; throws, and counts nothing, when the application or all together would exceed their limit. */
  holdBody(bytes: number): void {
    if (this.#isReleased) return;
    this.#limits.bodyBytes.acquireNow(this.#caller.applicationId, bytes);
    this.#bodyBytes += bytes;
  }

  /** Runs the handler of a request whose body is complete. */
  async run<T>(handle: () => Promise<T>): Promise<T> {
    this.#endArrival();
    watchdog.enter();
    try {
      return await this.#limits.running.run(this.#caller.applicationId, undefined, handle);
    } finally {
      this.releaseBody();
    }
  }

  /** Values of a body. Services parse JSON inside of texts, as they do raw bodies. */
  valueLimits(isRaw: boolean): ValueLimits {
    return this.#limits.values[isRaw ? "raw" : "parsed"];
  }

  /**
   * Charges the values of a body before they are allocated, and runs `handle` with it. A large body keeps its place until
   * then: its values stay in memory as long.
   */
  async spend<T>(size: BodySize, handle: () => Promise<T>): Promise<T> {
    const { applicationId } = this.#caller;
    const tokens = tokensOf(size);
    const inTurn = async () => {
      if (tokens > 0) {
        this.#takesTurns = true;
        await eventLoop.wait(applicationId);
        this.#chargeBody(tokens);
      }
      assertWithin(size.measure, this.valueLimits(size.isRaw));
      return handle();
    };
    return tokens < largeTokens ? inTurn() : this.#limits.largeBodies.run(applicationId, undefined, inTurn);
  }

  /** Lets other requests run where the steps of this one have taken long. */
  async nextTurn(): Promise<void> {
    if (this.#takesTurns) await eventLoop.waitAfterSlice(this.#caller.applicationId);
  }

  /** Serializes a response and counts it until the client has read it. A read is rejected before that when too much is unread. */
  async serialize<Body extends string | Buffer>(
    response: Response,
    isReadOnly: boolean,
    serialized: () => Body,
  ): Promise<Body> {
    const { largeResponses, unreadBytes } = this.#limits;
    const { applicationId } = this.#caller;
    if (largeResponses.has(applicationId)) await eventLoop.wait(applicationId);
    if (isReadOnly) unreadBytes.check(applicationId);
    const body = serialized();
    if (body.length >= largeResponseChars) largeResponses.set(applicationId, true);
    else largeResponses.delete(applicationId);
    // The client has gone away: the response is never read.
    if (response.closed === true) return body;
    const bytes = Buffer.byteLength(body);
    unreadBytes.acquireUnchecked(applicationId, bytes);
    response.once("close", () => unreadBytes.release(applicationId, bytes));
    return body;
  }

  /** Ends what the request holds but its response. */
  release(): void {
    this.#endArrival();
    this.releaseBody();
  }

  /** Bytes that come later count nothing. */
  releaseBody(): void {
    this.#isReleased = true;
    if (this.#bodyBytes > 0) this.#limits.bodyBytes.release(this.#caller.applicationId, this.#bodyBytes);
    this.#bodyBytes = 0;
  }

  #endArrival(): void {
    if (this.#isArriving) this.#limits.arriving.release(this.#caller.applicationId);
    this.#isArriving = false;
  }

  #chargeBody(tokens: number): void {
    this.#charged(this.#limits.rateLimits.consumeBody(this.#caller, tokens));
  }
}
