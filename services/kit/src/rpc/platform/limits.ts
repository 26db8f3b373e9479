import { concurrencyLimited } from "../../errors.ts";
import { consumeAll, rateLimitHeaders, TokenBuckets } from "../../limits/token-bucket.ts";
import type { PlatformCaller } from "./callers.ts";

/** What a platform caller may use of this process. */
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

  /** Takes a request's token and place; the headers tell what is left. Throws when there is none. */
  begin(): Record<string, string> {
    if (this.inFlight >= this.#inFlightMax) {
      throw concurrencyLimited(`This caller has ${this.#inFlightMax} calls in flight, which is its limit`);
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
