// How many rows a request of ingestion makes, known before any is made: a few bytes of gzip can hold very many.

import type { JsonObject } from "@bufbuild/protobuf";
import { tooLarge } from "@ems/kit/errors";
import type { IngestEvent, IngestStep } from "@ems/proto/experiments/v1/ingest_service";
import { isObject } from "../otlp/index.ts";

/** A row each event, a trace or a step, and each step inside of one. */
export function rowsOfEvents(events: readonly IngestEvent[]): number {
  return events.reduce((sum, { steps }) => sum + 1 + stepsIn(steps), 0);
}

function stepsIn(steps: readonly IngestStep[]): number {
  return steps.reduce((sum, { steps: parts }) => sum + 1 + stepsIn(parts), 0);
}

/** A row each span of an ExportTraceServiceRequest; its few traces are not counted. */
export function rowsOfOtlp({ resourceSpans }: JsonObject): number {
  const lists = objectsOf(resourceSpans).flatMap(({ scopeSpans }) => objectsOf(scopeSpans).map(({ spans }) => spans));
  return lists.reduce<number>((sum, spans) => sum + (Array.isArray(spans) ? spans.length : 0), 0);
}

function objectsOf(list: JsonObject[string] | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

export function checkRows(rows: number, max: number): void {
  if (rows > max) throw tooLarge(`A request makes at most ${max} traces and steps`);
}
