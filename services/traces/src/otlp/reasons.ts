import { truncateText } from "@ems/kit/json/issue-messages";
import { itemMessageMax } from "@ems/proto/limits";
import { evaluationEvent, tooManyNames } from "../external-evaluations/index.ts";

const reasonsMax = 5;

/** Builds the message of OTLP's partial success from the first few different reasons, each shortened. */
export function reasonsText(reasons: Iterable<string>): string {
  return [...new Set(reasons)]
    .slice(0, reasonsMax)
    .map((reason) => truncateText(reason, itemMessageMax))
    .join("; ");
}

/** Returns the reason for a number of refused evaluations. */
export function refusedNames(count: number): string[] {
  return count === 0 ? [] : [`${evaluationEvent}: ${count} refused. ${tooManyNames}`];
}
