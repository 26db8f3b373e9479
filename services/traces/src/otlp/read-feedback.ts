// Pure: reads feedback from OpenTelemetry events `ems.feedback`, which are log records or events of spans.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { derivedId } from "@ems/kit/id";
import { feedbackCommentMax, feedbackScoreMax } from "@ems/proto/limits";
import type { ExportLogsServiceRequest } from "@ems/proto/opentelemetry/proto/collector/logs/v1/logs_service";
import type { ExportTraceServiceRequest } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { traceUuid } from "@ems/traces-client";
import { type Feedback, feedbackEvent } from "../feedback/index.ts";
import type { Rejection } from "../traces/index.ts";
import { text } from "./json-text.ts";
import { hexId } from "./span.ts";
import { toAttributes } from "./wire/attributes.ts";

const thumbs: Readonly<Record<string, "UP" | "DOWN">> = { up: "UP", true: "UP", down: "DOWN", false: "DOWN" };
const users = ["user.id", "enduser.id"] as const;

/** Reads the feedback in log records. */
export function readLogFeedback(request: ExportLogsServiceRequest, now: Date): (Feedback | Rejection)[] {
  const records = request.resourceLogs.flatMap(({ scopeLogs }) => scopeLogs).flatMap(({ logRecords }) => logRecords);
  return records.flatMap((record) => {
    const attributes = toAttributes(record.attributes);
    const name = record.eventName || (text(attributes["event.name"]) ?? "");
    if (name !== feedbackEvent) return [];
    return toFeedback(record.traceId, record.timeUnixNano || record.observedTimeUnixNano, attributes, now);
  });
}

/** Reads the feedback in events of spans. */
export function readSpanFeedback(request: ExportTraceServiceRequest, now: Date): (Feedback | Rejection)[] {
  const spans = request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).flatMap((scope) => scope.spans);
  return spans.flatMap(({ traceId, events }) =>
    events
      .filter(({ name }) => name === feedbackEvent)
      .map((event) => toFeedback(traceId, event.timeUnixNano, toAttributes(event.attributes), now)),
  );
}

function toFeedback(traceBytes: Uint8Array, nanos: bigint, attributes: JsonObject, now: Date): Feedback | Rejection {
  const digits = hexId(traceBytes, 16);
  if (digits === undefined) return { error: `A record ${feedbackEvent} must name its trace` };
  const read = (name: string): JsonValue | undefined => attributes[`${feedbackEvent}.${name}`] ?? attributes[name];
  const thumbValue = read("thumb");
  const thumb = thumbValue === undefined ? null : thumbs[String(thumbValue).toLowerCase()];
  if (thumb === undefined) return { error: `${feedbackEvent}: thumb must be up or down` };
  const scoreValue = read("score");
  const score = scoreValue === undefined ? null : scoreValue;
  if (score !== null && (typeof score !== "number" || Math.abs(score) > feedbackScoreMax))
    return { error: `${feedbackEvent}: score must be a number from -${feedbackScoreMax} to ${feedbackScoreMax}` };
  const comment = text(read("comment")) ?? null;
  if (comment !== null && comment.length > feedbackCommentMax)
    return { error: `${feedbackEvent}: comment has at most ${feedbackCommentMax} characters` };
  if (thumb === null && score === null && comment === null)
    return { error: `${feedbackEvent}: thumb, score or comment is required` };
  const user = users.map((name) => text(attributes[name])).find((value) => value !== undefined) ?? null;
  const traceId = traceUuid(digits);
  const at = new Date(Number(nanos / 1_000_000n));
  const isKnownTime = nanos > 0n && at <= now;
  return {
    id: derivedId("feedback", traceId, String(nanos), JSON.stringify([thumb, score, comment, user])),
    traceId,
    thumb,
    score,
    comment,
    user,
    source: "OTLP",
    createdAt: isKnownTime ? at : now,
  };
}
