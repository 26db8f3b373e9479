// Budget of a request: its cost and the resources it holds, per application and in total, from its headers until the
// client has read the response. Health checks and the reference are exempt.

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
import {
  assertWithin,
  type BodySize,
  bodyTooLarge,
  countTokens,
  gunzipBody,
  largeTokens,
  receiveBody,
} from "./body.ts";
import { createLimits, type Limits } from "./limits.ts";
import { type LoadMonitor, monitorLoad } from "./load-shedding.ts";
import type { ValueLimits } from "./measure-message.ts";
import type { Caller } from "./rate-limits.ts";

/** Serializing this many characters takes as long as several small requests. */
const largeResponseChars = 64 * 1024;

type Response = Pick<EventEmitter, "once"> & { readonly closed?: boolean };
/** RPC of a request, and the name of its additional rate limit, if any. */
interface Rpc {
  readonly method: DescMethod;
  readonly rateLimit?: string;
}

/** Limits shared by all requests. */
export class Budgets {
  readonly #limits: Limits;
  readonly #load: LoadMonitor;
  readonly #clock: Clock;

  constructor(config: GatewayConfig, clock: Clock = systemClock) {
    this.#limits = createLimits(config);
    this.#load = monitorLoad(config.EVENT_LOOP_DELAY_MAX_MS);
    this.#clock = clock;
  }

  /** Bytes of request bodies that all requests hold together. */
  get bodyBytes(): number {
    return this.#limits.bodyBytes.running;
  }

  /**
   * Rejects new requests while the event loop is overloaded, so that running requests meet their deadlines, and while
   * the process clock is wrong: services would reject its signatures and timestamps.
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

  /** Creates the budget of a request of `caller`. `charged` receives the rate-limit headers after every change. */
  open(caller: Caller, charged: Charged = () => undefined): RequestBudget {
    return new RequestBudget(this.#limits, caller, charged);
  }

  stop(): void {
    this.#load.stop();
  }
}

type Charged = (headers: Record<string, string>) => void;

/** Concurrency places, body bytes and rate-limit tokens of one request. */
export class RequestBudget {
  readonly #limits: Limits;
  readonly #caller: Caller;
  readonly #charged: Charged;
  #bodyBytes = 0;
  #isReleased = false;
  #isArriving = false;
  /** True if the request yields to others between its steps, because its body costs more than one token. */
  #takesTurns = false;

  constructor(limits: Limits, caller: Caller, charged: Charged) {
    this.#limits = limits;
    this.#caller = caller;
    this.#charged = charged;
  }

  /** Charges the request itself. Throws rateLimited. */
  charge(): void {
    this.#charged(this.#limits.rateLimits.consume(this.#caller));
  }

  /** Charges the cost of the call to the rate limit of its RPC. Throws rateLimited. */
  chargeCall({ method, rateLimit }: Rpc, message: Message): void {
    if (rateLimit === undefined) return;
    this.#charged(this.#limits.rateLimits.consumePolicy(this.#caller, rateLimit, requestCost(method, message)));
  }

  /** Charges a cost that only the response reports. */
  chargeResponse({ method, rateLimit }: Rpc, response: Message): void {
    const cost = rateLimit === undefined ? 0 : responseCost(method, response);
    if (rateLimit === undefined || cost === 0) return;
    this.#charged(this.#limits.rateLimits.chargePolicy(this.#caller, rateLimit, cost));
  }

  /**
   * Admits a request before its body is read. Throws when the application has too many arriving bodies or unread
   * responses. Everything is released when the response closes.
   */
  async admit(request: { readonly complete: boolean }, response: Response): Promise<void> {
    const { arriving, unreadBytes } = this.#limits;
    const { applicationId } = this.#caller;
    // The client disconnected during authentication: no event would release anything.
    if (response.closed === true) throw canceled();
    response.once("close", () => this.release());
    unreadBytes.check(applicationId);
    if (request.complete) return;
    if (!arriving.tryAcquire(applicationId)) {
      // Wait a turn: a small body that arrives in the same packet is parsed right after the headers.
      await setImmediate();
      if (request.complete) return;
      throw arriving.rejection(applicationId);
    }
    this.#isArriving = true;
  }

  /** Receives the whole body; its bytes count until they are released. */
  async receive(stream: Readable, headers: IncomingHttpHeaders, bytesMax: number): Promise<Buffer> {
    if (Number(headers["content-length"] ?? 0) > 2 * bytesMax) throw bodyTooLarge(bytesMax);
    return receiveBody(stream, bytesMax, this);
  }

  /** Decompresses a body; undefined when it is not valid gzip. */
  decompress(bytes: Buffer, bytesMax: number): Promise<Buffer | undefined> {
    return this.#limits.largeBodies.run(this.#caller.applicationId, undefined, () => {
      // Charged before decompression, so that a client over its limit cannot make the gateway decompress.
      this.#chargeBody(1);
      return gunzipBody(bytes, bytesMax, this);
    });
  }

  /** Counts bytes of the body. Throws and counts nothing when the application or the total would exceed its limit. */
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

  /** Limits for the values of a body. Services parse JSON inside text fields, as they do raw bodies. */
  valueLimits(isRaw: boolean): ValueLimits {
    return this.#limits.values[isRaw ? "raw" : "parsed"];
  }

  /**
   * Charges the values of a body before they are allocated, then runs `handle`. A large body keeps its place until
   * `handle` ends, because its values stay in memory.
   */
  async spend<T>(size: BodySize, handle: () => Promise<T>): Promise<T> {
    const { applicationId } = this.#caller;
    const tokens = countTokens(size);
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

  /** Yields to other requests if this one has run for long. */
  async nextTurn(): Promise<void> {
    if (this.#takesTurns) await eventLoop.waitAfterSlice(this.#caller.applicationId);
  }

  /**
   * Serializes a response and counts it until the client has read it. Before serializing, rejects a read when too many
   * bytes are unread.
   */
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
    // The client has disconnected: the response is never read.
    if (response.closed === true) return body;
    const bytes = Buffer.byteLength(body);
    unreadBytes.acquireUnchecked(applicationId, bytes);
    response.once("close", () => unreadBytes.release(applicationId, bytes));
    return body;
  }

  /** Takes a place for a streamed response until it closes. */
  holdStream(response: Response): void {
    const { exports } = this.#limits;
    const { applicationId } = this.#caller;
    if (response.closed === true) throw canceled();
    if (!exports.tryAcquire(applicationId)) throw exports.rejection(applicationId);
    response.once("close", () => exports.release(applicationId));
  }

  /** Counts the bytes of a page of a streamed response as unread; the result ends that. */
  holdPage(bytes: number): () => void {
    const { unreadBytes } = this.#limits;
    const { applicationId } = this.#caller;
    unreadBytes.acquireUnchecked(applicationId, bytes);
    return () => unreadBytes.release(applicationId, bytes);
  }

  /** Releases everything that the request holds, except its response. */
  release(): void {
    this.#endArrival();
    this.releaseBody();
  }

  /** Releases the body's bytes. Bytes that arrive later are not counted. */
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
