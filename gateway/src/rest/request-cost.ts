// What a request costs under the rate limit of its RPC: itself, or the rows that it has stored.

import type { DescMethod, JsonValue, Message } from "@bufbuild/protobuf";
import {
  type IngestEventsRequest,
  type IngestOtelTracesRequest,
  IngestService,
  type IngestStep,
} from "@ems/proto/experiments/v1/ingest_service";

/** The cost of a request, which has been read and is well-formed. */
export function costOf(method: DescMethod, message: Message): number {
  // What is read for a method is its input.
  if (method === IngestService.method.ingestEvents) return eventRows(message as IngestEventsRequest);
  if (method === IngestService.method.ingestOtelTraces) return spanRows(message as IngestOtelTracesRequest);
  return 1;
}

function eventRows({ events }: IngestEventsRequest): number {
  return events.reduce((rows, { steps }) => rows + 1 + stepRows(steps), 0);
}

function stepRows(steps: readonly IngestStep[]): number {
  return steps.reduce((rows, step) => rows + 1 + stepRows(step.steps), 0);
}

/** The service judges what is no list; it stores nothing of it. */
function spanRows({ payload }: IngestOtelTracesRequest): number {
  const scopes = listOf(payload, "resourceSpans").flatMap((resource) => listOf(resource, "scopeSpans"));
  return scopes.reduce<number>((rows, scope) => rows + listOf(scope, "spans").length, 0);
}

function listOf(value: JsonValue | undefined, name: string): JsonValue[] {
  const list = typeof value === "object" && value !== null && !Array.isArray(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}
