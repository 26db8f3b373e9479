// Leaves out spans that are noise: those that the application's rules drop, and traces of protocols.

import { counter } from "@ems/kit/telemetry/metrics";
import type { Rejection } from "../traces/index.ts";
import type { SpanStep } from "./read-spans.ts";

type Result = SpanStep | Rejection;

const countDropped = counter({
  name: "ems_otlp_dropped_spans_total",
  help: "Spans that are not stored because they are noise, by the rule: of the application, or built in.",
  labels: ["rule"],
});

/** Returns the spans to store, and the number of those that the application's rules drop. */
export function withoutNoise(results: readonly Result[]): { spans: Result[]; dropped: number } {
  const allowed = withoutDropped(results);
  const spans = withoutChatter(allowed);
  const dropped = results.length - allowed.length;
  if (dropped > 0) countDropped({ rule: "application" }, dropped);
  if (allowed.length > spans.length) countDropped({ rule: "built_in" }, allowed.length - spans.length);
  return { spans, dropped };
}

/** Warns the sender of spans that the application's rules dropped. */
export function droppedWarnings(count: number): string[] {
  return count === 0 ? [] : [`${count} dropped by the noise rules of the ingest settings`];
}

/** Leaves out the spans that rules drop, unless they belong to a test. The spans below them move up. */
function withoutDropped(results: readonly Result[]): Result[] {
  const isDropped = ({ noise, trace }: SpanStep) => noise === "drop" && trace.facts.testId === undefined;
  const dropped = new Map(
    results.flatMap((result) => ("error" in result || !isDropped(result) ? [] : [[result.id, result] as const])),
  );
  if (dropped.size === 0) return [...results];
  return results.flatMap((result): Result[] => {
    if ("error" in result) return [result];
    return isDropped(result) ? [] : [{ ...result, parentId: findParent(result, dropped) }];
  });
}

function findParent({ parentId }: SpanStep, dropped: ReadonlyMap<string, SpanStep>): string | undefined {
  // Spans that name each other as parents have none.
  const seen = new Set<string>();
  let id = parentId;
  while (id !== undefined && !seen.has(id)) {
    const span = dropped.get(id);
    if (span === undefined) return id;
    seen.add(id);
    id = span.parentId;
  }
  return undefined;
}

/**
 * Leaves out traces that begin with a span of a protocol and contain nothing else: neither steps of other types than
 * groups, nor texts, nor a test. They would be listed and judged as conversations.
 */
function withoutChatter(results: readonly Result[]): Result[] {
  const byTrace = Map.groupBy(results, (result) => ("error" in result ? undefined : result.trace.id));
  const isLeftOut = (id: string | undefined) => {
    const spans = (byTrace.get(id) ?? []).flatMap((result) => ("error" in result ? [] : result));
    const hasRoot = spans.some((span) => isChatter(span) && span.parentId === undefined);
    return (
      hasRoot && spans.every((span) => isChatter(span) || isSilent(span)) && spans[0]?.trace.facts.testId === undefined
    );
  };
  const leftOut = new Set([...byTrace.keys()].filter((id) => id !== undefined && isLeftOut(id)));
  return results.filter((result) => "error" in result || !leftOut.has(result.trace.id));
}

function isChatter({ isChatter, noise }: SpanStep): boolean {
  return isChatter && noise === undefined;
}

function isSilent({ fields: { type, input, output, usage }, noise }: SpanStep): boolean {
  const hasText = input !== undefined || output !== undefined || usage !== undefined;
  return type === "group" && noise === undefined && !hasText;
}
