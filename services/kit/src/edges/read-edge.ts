// Reads values of third parties. A value that its type does not hold is unknown and counted; it is never an exception.

import { counter } from "../telemetry/metrics.ts";
import type { Parse } from "./values.ts";

/** Third party that sent a value. */
export type EdgeSource = "model" | "webhook" | "exporter" | "identity_provider";

const countUnknown = counter({
  name: "ems_edge_unknown_values_total",
  help: "Values of third parties that are out of bounds and count as unknown, by sender and field.",
  labels: ["source", "field"],
});

/**
 * Reads values of one sender: undefined where the value is missing (undefined, null) or out of bounds. Values out of bounds are
 * counted. `field` is a name of ours, never the sender's: it becomes a label.
 */
export function edgeReader(
  source: EdgeSource,
): <Type>(field: string, value: unknown, parse: Parse<Type>) => Type | undefined {
  return (field, value, parse) => {
    if (value === undefined || value === null) return undefined;
    const parsed = parse(value);
    if (parsed === undefined) countUnknown({ source, field });
    return parsed;
  };
}
