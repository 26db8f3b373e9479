import { concurrencyLimited } from "../../errors.ts";
import { consumeAll, rateLimitHeaders, TokenBuckets } from "../../limits/token-bucket.ts";
import type { PlatformCaller } from "./callers.ts";

/** Limits of a platform caller in this process. */
export class CallerLimits {
  readonly #buckets: TokenBuckets;
  readonly #bucket: { readonly limit: TokenBuckets; readonly key: string };
  readonly #inFlightMax: number;
  inFlight = 0;

  constructor({ name, rate: { perMinute, burst, inFlightMax } }: PlatformCaller) {
    const message = "This caller sends too many requests";
    this.#buckets = new TokenBuckets({ name: "caller", perMinute, burst, message }, 1);
    this.#bucket = { limit: this.#buckets, key: name };
    this.#inFlightMax = inFlightMax;
  }

  /** Consumes a token and a slot for a request; returns headers with the remaining quota. Throws if none is left. */
  begin(): Record<string, string> {
    if (this.inFlight >= this.#inFlightMax) {
      throw concurrencyLimited(`This caller has reached its limit of ${this.#inFlightMax} concurrent calls`);
    }
    const headers = consumeAll([this.#bucket]);
    this.inFlight += 1;
    return headers;
  }

  end(): void {
    this.inFlight -= 1;
  }

  get headers(): Record<string, string> {
    return rateLimitHeaders([this.#bucket]);
  }
}
