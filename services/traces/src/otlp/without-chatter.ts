// Pure: leaves out traces of protocols, such as health checks, which are no conversations.

import type { Rejection } from "../traces/index.ts";
import type { SpanStep } from "./read-spans.ts";

/**
 * Leaves out traces that begin with such a span and contain nothing else: neither steps of other types than groups, nor
 * texts, nor a test. They would be listed and judged as conversations.
 */
export function withoutChatter(results: readonly (SpanStep | Rejection)[]): (SpanStep | Rejection)[] {
  const byTrace = Map.groupBy(results, (result) => ("error" in result ? undefined : result.trace.id));
  const isLeftOut = (id: string | undefined) => {
    const spans = (byTrace.get(id) ?? []).flatMap((result) => ("error" in result ? [] : result));
    const hasRoot = spans.some((span) => span.isChatter && span.parentId === undefined);
    return (
      hasRoot && spans.every((span) => span.isChatter || isSilent(span)) && spans[0]?.trace.facts.testId === undefined
    );
  };
  const leftOut = new Set([...byTrace.keys()].filter((id) => id !== undefined && isLeftOut(id)));
  return results.filter((result) => "error" in result || !leftOut.has(result.trace.id));
}

function isSilent({ fields: { type, input, output, usage } }: SpanStep): boolean {
  return type === "group" && input === undefined && output === undefined && usage === undefined;
}
