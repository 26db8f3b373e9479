// A request's cost in tokens under the rate limit of its RPC: the rows that it stores, or one.

import type { DescMethod, JsonValue, Message } from "@bufbuild/protobuf";
import {
  type IngestEventsRequest,
  type IngestOtelTracesRequest,
  IngestService,
  type IngestStep,
} from "@ems/proto/experiments/v1/ingest_service";

/** `message` is the method's input, already validated. */
export function requestCost(method: DescMethod, message: Message): number {
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

/** Counts well-formed lists only: the service rejects any other payload and stores nothing. */
function spanRows({ payload }: IngestOtelTracesRequest): number {
  const scopes = listOf(payload, "resourceSpans").flatMap((resource) => listOf(resource, "scopeSpans"));
  return scopes.reduce<number>((rows, scope) => rows + listOf(scope, "spans").length, 0);
}

function listOf(value: JsonValue | undefined, name: string): JsonValue[] {
  const list = typeof value === "object" && value !== null && !Array.isArray(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}
