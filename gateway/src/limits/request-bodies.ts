// The budget of reading bodies: how large one may become, how many large ones are read at once, and what reading costs of the
// rate limits. A few hundred bytes of gzip can hold a megabyte of values.

import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { tooLarge, unauthenticated } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { KeyOwner } from "../auth/authenticator.ts";
import type { GatewayConfig } from "../config.ts";
import { invalidBody, type ParsedBody, parseBody, weighBody } from "../rest/parse-body.ts";
import type { LoopTurns } from "./event-loop-yield.ts";
import type { RateLimits } from "./rate-limits.ts";
import { refusal } from "./rejection.ts";

/** The most bytes of a body, as it comes and unpacked. */
export const bodyBytesMax = 1024 * 1024;

/** One more request's worth each: reading that much takes as long as a small request does. */
const tokenBytes = 64 * 1024;
const tokenValues = 2_000;

/** A body that costs so much is large: 256 KiB, or 8,000 values. */
const largeTokens = 4;

const queueTimeoutMs = 2_000;

type Config = Pick<GatewayConfig, "BODY_VALUES_MAX" | "LARGE_BODIES_MAX" | "LARGE_BODIES_PER_APPLICATION_MAX">;

export class Bodies {
  readonly #valuesMax: number;
  readonly #rateLimits: Pick<RateLimits, "spend">;
  readonly #large: TenantConcurrencyLimiter;
  readonly #turns: LoopTurns;

  constructor(config: Config, rateLimits: Pick<RateLimits, "spend">, turns: LoopTurns) {
    this.#turns = turns;
    this.#valuesMax = config.BODY_VALUES_MAX;
    this.#rateLimits = rateLimits;
    this.#large = new TenantConcurrencyLimiter({
      max: config.LARGE_BODIES_MAX,
      maxPerKey: config.LARGE_BODIES_PER_APPLICATION_MAX,
      queueMax: 8 * config.LARGE_BODIES_MAX,
      queueMaxPerKey: 8 * config.LARGE_BODIES_PER_APPLICATION_MAX,
      queueTimeoutMs,
      reject: refusal("large_bodies", "Too many large bodies"),
    });
  }

  /** Reads the request's body and does `work` with it; a large one has a place until that is done, since its values live as long. */
  async read<T>(request: BodyRequest, reply: FastifyReply, work: (body: ParsedBody) => Promise<T>): Promise<T> {
    const { tenant: owner } = request;
    if (owner === undefined) throw unauthenticated();
    const spend: Spend = (tokens) => tokens > 0 && reply.headers(this.#rateLimits.spend(owner, tokens));
    const bytes = await this.#plain(request, owner, spend);
    if (bytes === undefined) return work(invalidBody("Body is not valid gzip"));

    const weight = weighBody(bytes, this.#valuesMax);
    const tokens = Math.floor(Math.max(bytes.length / tokenBytes, weight.values / tokenValues));
    const parse = () => {
      spend(tokens);
      if (weight.values > this.#valuesMax) throw tooLarge(`The request body has more than ${this.#valuesMax} values`);
      return parseBody(bytes, weight);
    };
    if (tokens === 0) return work(parse());
    const workInTurn = async () => {
      await this.#turns.take(owner.applicationId);
      return work(parse());
    };
    return tokens < largeTokens ? workInTurn() : this.#large.run(owner.applicationId, undefined, workInTurn);
  }

  /** The bytes as they were before they were packed; undefined when that cannot be said. */
  async #plain(request: BodyRequest, { applicationId }: KeyOwner, spend: Spend): Promise<Buffer | undefined> {
    const { body: bytes = empty } = request;
    if (!isPacked(request)) return bytes;
    return this.#large.run(applicationId, undefined, () => {
      // Paid before: whoever owes for earlier ones has none unpacked.
      spend(1);
      return unpacked(bytes);
    });
  }
}

type BodyRequest = FastifyRequest<{ Body: Buffer | undefined }>;
type Spend = (tokens: number) => unknown;

/** Whether the body may be read: it comes as it is or, from OpenTelemetry's exporters, packed by gzip. */
export function isReadable({ headers }: FastifyRequest): boolean {
  return ["identity", "gzip"].includes(headers["content-encoding"]?.toLowerCase() ?? "identity");
}

function isPacked({ headers }: BodyRequest): boolean {
  return headers["content-encoding"]?.toLowerCase() === "gzip";
}

const empty = Buffer.alloc(0);
const unzip = promisify(gunzip);

/** What comes out of gzip, which is left at the size that a body may have; undefined when it is none. */
async function unpacked(bytes: Buffer): Promise<Buffer | undefined> {
  try {
    return await unzip(bytes, { maxOutputLength: bodyBytesMax });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge("The request body is larger than 1 MiB");
    return undefined;
  }
}
