// Request bodies: decompression, size and complexity limits, and their cost in rate-limit tokens.

import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { tooLarge, unauthenticated } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { sizeText } from "@ems/proto/limits";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { KeyOwner } from "../auth/key-owners.ts";
import type { GatewayConfig } from "../config.ts";
import { invalidBody, measureBody, type ParsedBody, parseBody } from "../rest/parse-body.ts";
import type { EventLoopYield } from "./event-loop-yield.ts";
import type { RateLimits } from "./rate-limits.ts";
import { rejection } from "./rejection.ts";

/** Limit of a body's size, both as sent and decompressed. */
export const bodyBytesMax = 1024 * 1024;

/** One rate-limit token each, beside the request's own: parsing that much takes about as long as a small request. */
const tokenBytes = 64 * 1024;
const tokenValues = 2_000;

/** Bodies of that cost are large. */
const largeTokens = 4;
export const largeBodies = { largeBytesMax: largeTokens * tokenBytes, largeValuesMax: largeTokens * tokenValues };

export const bodyTooLarge = `The request body is larger than ${sizeText(bodyBytesMax)}`;

const queueTimeoutMs = 2_000;

type Config = Pick<GatewayConfig, "BODY_VALUES_MAX" | "LARGE_BODIES_MAX" | "LARGE_BODIES_PER_APPLICATION_MAX">;

export class RequestBodies {
  readonly #valuesMax: number;
  readonly #rateLimits: Pick<RateLimits, "consumeBody">;
  readonly #largeBodies: TenantConcurrencyLimiter;
  readonly #eventLoop: EventLoopYield;

  constructor(config: Config, rateLimits: Pick<RateLimits, "consumeBody">, eventLoop: EventLoopYield) {
    this.#eventLoop = eventLoop;
    this.#valuesMax = config.BODY_VALUES_MAX;
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

  /** Parses the body and runs `handle` with it. A large body keeps its place until then: its values stay in memory as long. */
  async read<T>(request: BodyRequest, reply: FastifyReply, handle: (body: ParsedBody) => Promise<T>): Promise<T> {
    const { tenant: owner, body = empty } = request;
    if (owner === undefined) throw unauthenticated();
    const consume: Consume = (tokens) => tokens > 0 && reply.headers(this.#rateLimits.consumeBody(owner, tokens));
    const bytes = encodingOf(request) === "gzip" ? await this.#decompress(body, owner, consume) : body;
    if (bytes === undefined) return handle(invalidBody("Body is not valid gzip"));

    const measure = measureBody(bytes, this.#valuesMax);
    const tokens = Math.floor(Math.max(bytes.length / tokenBytes, measure.values / tokenValues));
    const parse = () => {
      consume(tokens);
      if (measure.values > this.#valuesMax) throw tooLarge(`The request body has more than ${this.#valuesMax} values`);
      return parseBody(bytes, measure);
    };
    if (tokens === 0) return handle(parse());
    const parseInTurn = async () => {
      await this.#eventLoop.wait(owner.applicationId);
      return handle(parse());
    };
    return tokens < largeTokens ? parseInTurn() : this.#largeBodies.run(owner.applicationId, undefined, parseInTurn);
  }

  /** The decompressed body; undefined when it is not valid gzip. */
  #decompress(bytes: Buffer, { applicationId }: KeyOwner, consume: Consume): Promise<Buffer | undefined> {
    return this.#largeBodies.run(applicationId, undefined, () => {
      // Charged before decompression, so that a client over its limit causes none.
      consume(1);
      return decompress(bytes);
    });
  }
}

type BodyRequest = FastifyRequest<{ Body: Buffer | undefined }>;
type Consume = (tokens: number) => unknown;

/** OpenTelemetry's exporters send gzip; no other content encoding is supported. */
export function isEncodingSupported(request: FastifyRequest): boolean {
  return ["identity", "gzip"].includes(encodingOf(request));
}

function encodingOf({ headers }: Pick<FastifyRequest, "headers">): string {
  return headers["content-encoding"]?.toLowerCase() ?? "identity";
}

const empty = Buffer.alloc(0);
const unzip = promisify(gunzip);

async function decompress(bytes: Buffer): Promise<Buffer | undefined> {
  try {
    return await unzip(bytes, { maxOutputLength: bodyBytesMax });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(bodyTooLarge);
    return undefined;
  }
}
