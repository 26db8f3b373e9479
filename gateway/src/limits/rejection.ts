import { tooManyRequests, unavailable } from "@ems/kit/errors";
import { countRefusal } from "../telemetry.ts";

const retryAfterMs = 1_000;

/** What is told to whom a share refuses: `what` is too much, of one `of` or of all; counted under `reason`. */
export function refusal(reason: string, what: string, of = "application"): (whose: "key" | "all") => Error {
  return (whose) => {
    countRefusal({ reason: whose === "key" ? `${reason}_of_${of}` : reason });
    return whose === "key"
      ? tooManyRequests(`${what} of this ${of} at once`, retryAfterMs)
      : unavailable(`${what} at once`, undefined, retryAfterMs);
  };
}
