import { concurrencyLimited, overloaded } from "@ems/kit/errors";
import { countRejection } from "../telemetry.ts";

const retryAfterMs = 1_000;

/** The error of a concurrency limit: 429 when the `scope` itself holds too many places, 503 when all are taken; counted under `reason`. */
export function rejection(reason: string, text: string, scope = "application"): (whose: "key" | "all") => Error {
  return (whose) => {
    countRejection({ reason: whose === "key" ? `${reason}_of_${scope}` : reason });
    return whose === "key"
      ? concurrencyLimited(`${text} of this ${scope} at once`, retryAfterMs)
      : overloaded(`${text} at once`, retryAfterMs);
  };
}
