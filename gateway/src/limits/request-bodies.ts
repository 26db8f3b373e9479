// Request bodies: decompression, size and complexity limits, and their cost in rate-limit tokens.

import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { tooLarge } from "@ems/kit/errors";
import { tooDeep } from "@ems/kit/json/issue-messages";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { EventLoopYield } from "@ems/kit/limits/event-loop-yield";
import type { Principal } from "../auth/principal.ts";
import type { GatewayConfig } from "../config.ts";
import { contentTypeOf, encodingOf } from "../rest/media-type.ts";
import {
  type BodyMeasure,
  invalidBody,
  measureBody,
  type ParsedBody,
  parseBody,
  RawBody,
  type ValueLimits,
} from "../rest/parse-body.ts";
import type { Route } from "../rest/routes.ts";
import { BodyMemory, type HeldBody } from "./body-memory.ts";
import { measureRaw } from "./measure-raw.ts";
import type { RateLimits } from "./rate-limits.ts";
import { bodyTooLarge, gunzipBody, receiveBody } from "./receive-body.ts";
import { rejection } from "./rejection.ts";

/** One rate-limit token each, beside the request's own: parsing that much takes about as long as a small request. */
const tokenBytes = 64 * 1024;
const tokenValues = 2_000;

/** The same of a body that is not parsed here. */
const rawTokenBytes = 256 * 1024;
const rawTokenValues = 16_000;

/** The same of values of JSON inside of texts, which services parse. */
const tokenTextValues = 4_000;

/** Bodies of that cost are large. */
const largeTokens = 4;
export const largeBodies = { largeBytesMax: largeTokens * tokenBytes, largeValuesMax: largeTokens * tokenValues };

const queueTimeoutMs = 2_000;

type Config = Pick<
  GatewayConfig,
  | "BODY_VALUES_MAX"
  | "RAW_BODY_VALUES_MAX"
  | "LARGE_BODIES_MAX"
  | "LARGE_BODIES_PER_APPLICATION_MAX"
  | "BODIES_MAX_BYTES"
  | "BODIES_PER_APPLICATION_MAX_BYTES"
>;

type BodyRules = Pick<Route, "bodyMode" | "mediaTypes" | "bodyBytesMax" | "method">;

/** A received body. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  readonly encoding: string;
  /** The media type, with its parameter `boundary` if it has one. */
  readonly contentType: string | undefined;
  readonly held: HeldBody;
}

export class RequestBodies {
  readonly #config: Config;
  readonly #memory: BodyMemory;
  readonly #rateLimits: Pick<RateLimits, "consumeBody">;
  readonly #largeBodies: TenantConcurrencyLimiter;
  readonly #eventLoop: EventLoopYield;

  constructor(config: Config, rateLimits: Pick<RateLimits, "consumeBody">, eventLoop: EventLoopYield) {
    this.#eventLoop = eventLoop;
    this.#config = config;
    this.#memory = new BodyMemory(config);
    this.#rateLimits = rateLimits;
    this.#largeBodies = new TenantConcurrencyLimiter({
      max: config.LARGE_BODIES_MAX,
      maxPerKey: config.LARGE_BODIES_PER_APPLICATION_MAX,
      queueMax: 8 * config.LARGE_BODIES_MAX,
      queueMaxPerKey: 8 * config.LARGE_BODIES_PER_APPLICATION_MAX,
      queueTimeoutMs,
      reject: rejection("large_bodies", "Too many large bodies"),
    });
  }

  /** What the request of `owner` may hold in memory; to be released when it has ended. */
  hold(owner: Pick<Principal, "applicationId">): HeldBody {
    return this.#memory.open(owner.applicationId);
  }

  /** Receives the body; its bytes count until `held` is released. */
  async receive(
    stream: Readable,
    headers: IncomingHttpHeaders,
    { bodyBytesMax }: BodyRules,
    held: HeldBody,
  ): Promise<ReceivedBody> {
    if (Number(headers["content-length"] ?? 0) > 2 * bodyBytesMax) throw bodyTooLarge(bodyBytesMax);
    const bytes = await receiveBody(stream, bodyBytesMax, held);
    return { bytes, encoding: encodingOf(headers), contentType: contentTypeOf(headers), held };
  }

  /**
   * Parses the body and runs `handle` with it, charging by `charged`. A large body keeps its place until then: its values
   * stay in memory as long. `handle` waits for the next turn between its steps.
   */
  async read<T>(
    owner: Principal,
    body: ReceivedBody | undefined,
    rules: BodyRules,
    charged: Charged,
    handle: (body: ParsedBody, nextTurn: NextTurn) => Promise<T>,
  ): Promise<T> {
    const consume: Consume = (tokens) => tokens > 0 && charged(this.#rateLimits.consumeBody(owner, tokens));
    const bytes = await this.#bytesOf(body, owner, rules, consume);
    if (bytes === undefined) return handle(invalidBody("Body is not valid gzip"), noTurn);

    const isRaw = rules.bodyMode === "raw";
    const limits = this.valueLimits(isRaw);
    const measure = isRaw ? measureRaw(rules.method, bytes, body?.contentType, limits) : measureBody(bytes, limits);
    const tokens = tokensOf(bytes.length, measure, isRaw);
    const parse = (): ParsedBody => {
      consume(tokens);
      assertWithin(measure, limits);
      return isRaw ? rawBody(bytes, body?.contentType, measure) : parseBody(bytes, measure);
    };
    return this.#inTurn(owner, tokens, (nextTurn) => handle(parse(), nextTurn));
  }

  /** Runs `handle` with a message of so many bytes and values, as `read` does with a body. */
  withMessage<T>(
    owner: Principal,
    { bytes, measure, isRaw }: { bytes: number; measure: BodyMeasure; isRaw: boolean },
    charged: Charged,
    handle: (nextTurn: NextTurn) => Promise<T>,
  ): Promise<T> {
    const tokens = tokensOf(bytes, measure, isRaw);
    return this.#inTurn(owner, tokens, (nextTurn) => {
      if (tokens > 0) charged(this.#rateLimits.consumeBody(owner, tokens));
      assertWithin(measure, this.valueLimits(isRaw));
      return handle(nextTurn);
    });
  }

  /** Values of a body. Services parse JSON inside of texts, as they do raw bodies. */
  valueLimits(isRaw: boolean): ValueLimits {
    const { BODY_VALUES_MAX, RAW_BODY_VALUES_MAX } = this.#config;
    const allValues = isRaw ? RAW_BODY_VALUES_MAX : Math.max(BODY_VALUES_MAX, RAW_BODY_VALUES_MAX);
    return { values: isRaw ? RAW_BODY_VALUES_MAX : BODY_VALUES_MAX, allValues };
  }

  /** Decompresses a message of a request that holds `held`; undefined when it is not valid gzip. */
  decompress(owner: Principal, bytes: Buffer, bytesMax: number, held: HeldBody): Promise<Buffer | undefined> {
    return this.#decompress(owner, bytes, bytesMax, held, (tokens) => this.#rateLimits.consumeBody(owner, tokens));
  }

  #decompress(owner: Principal, bytes: Buffer, bytesMax: number, held: HeldBody, consume: Consume) {
    return this.#largeBodies.run(owner.applicationId, undefined, () => {
      // Charged before decompression, so that a client over its limit causes none.
      consume(1);
      return gunzipBody(bytes, bytesMax, held);
    });
  }

  async #inTurn<T>({ applicationId }: Principal, tokens: number, handle: (nextTurn: NextTurn) => Promise<T>) {
    if (tokens === 0) return handle(noTurn);
    const inTurn = async () => {
      await this.#eventLoop.wait(applicationId);
      return handle(() => this.#eventLoop.waitAfterSlice(applicationId));
    };
    return tokens < largeTokens ? inTurn() : this.#largeBodies.run(applicationId, undefined, inTurn);
  }

  /** The decompressed body; undefined when it is not valid gzip. */
  async #bytesOf(
    body: ReceivedBody | undefined,
    owner: Principal,
    { bodyBytesMax }: BodyRules,
    consume: Consume,
  ): Promise<Buffer | undefined> {
    if (body === undefined) return empty;
    if (body.encoding !== "gzip") return body.bytes;
    return this.#decompress(owner, body.bytes, bodyBytesMax, body.held, consume);
  }
}

/** Takes the state of the rate limits as headers. */
type Charged = (headers: Record<string, string>) => void;
/** Lets other requests run where the steps of a large one have taken long. */
export type NextTurn = () => Promise<void>;
export const noTurn: NextTurn = async () => undefined;
type Consume = (tokens: number) => unknown;

function tokensOf(bytes: number, { values, textValues }: BodyMeasure, isRaw: boolean): number {
  const ofBytes = bytes / (isRaw ? rawTokenBytes : tokenBytes);
  return Math.floor(Math.max(ofBytes, values / (isRaw ? rawTokenValues : tokenValues) + textValues / tokenTextValues));
}

function assertWithin({ values, textValues }: BodyMeasure, limits: ValueLimits): void {
  const advice = "Send it as several requests";
  if (values > limits.values) throw tooLarge(`The request body has more than ${limits.values} values. ${advice}`);
  if (values + textValues > limits.allValues)
    throw tooLarge(
      `The request body has more than ${limits.allValues} values, with those of JSON in its texts. ${advice}`,
    );
}

function rawBody(bytes: Buffer, contentType: string | undefined, { isTooDeep }: BodyMeasure): ParsedBody {
  return isTooDeep ? invalidBody(tooDeep) : { value: new RawBody(bytes, contentType) };
}

const empty = Buffer.alloc(0);
