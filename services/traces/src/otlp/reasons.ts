import { truncateText } from "@ems/kit/json/issue-messages";
import { itemMessageMax } from "@ems/proto/limits";

const reasonsMax = 5;

/** Builds the message of OTLP's partial success from the first few different reasons, each shortened. */
export function reasonsText(reasons: Iterable<string>): string {
  return [...new Set(reasons)]
    .slice(0, reasonsMax)
    .map((reason) => truncateText(reason, itemMessageMax))
    .join("; ");
}
