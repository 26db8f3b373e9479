// Reads values from third parties. A value that its type cannot hold becomes unknown and is counted; it never causes an
// exception.

import { counter } from "../telemetry/metrics.ts";
import type { Parse } from "./values.ts";

/** Third party that sent a value. */
export type EdgeSource = "model" | "webhook" | "exporter" | "identity_provider";

const countUnknown = counter({
  name: "ems_edge_unknown_values_total",
  help: "Values from third parties that were out of bounds and treated as unknown, by source and field.",
  labels: ["source", "field"],
});

/**
 * Reads values from one sender: undefined if the value is missing (undefined, null) or out of bounds. Values out of
 * bounds are counted. `field` becomes a label, so it is a name of this product, never one from the sender.
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
