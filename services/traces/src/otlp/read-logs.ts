// Pure: reads log records with prompts or completions of a span. Ignores other records.

import type { JsonValue } from "@bufbuild/protobuf";
import { derivedId } from "@ems/kit/id";
import type { ExportLogsServiceRequest } from "@ems/proto/opentelemetry/proto/collector/logs/v1/logs_service";
import type { LogRecord } from "@ems/proto/opentelemetry/proto/logs/v1/logs";
import { traceUuid } from "@ems/traces-client";
import { Extraction, type TraceAttachments } from "../attachments/index.ts";
import type { Rejection } from "../traces/index.ts";
import { eventContent } from "./conventions/gen-ai-before.ts";
import { text } from "./json-text.ts";
import type { LogMessageRow } from "./log-message.ts";
import { stepId } from "./read-spans.ts";
import { hexId } from "./span.ts";
import { toAttributes, toJsonValue } from "./wire/attributes.ts";

/** The message as sent: its row is created after redaction. */
export interface LogMessage
  extends Omit<
    LogMessageRow,
    "applicationId" | "createdAt" | "position" | "content" | "finishReason" | "replacedCharacters"
  > {
  readonly content: JsonValue;
  readonly finishReason: string | null;
}

/** Yields, for each record with messages, the messages or the reason why it is rejected. Reads lazily. */
export function* readLogs(
  request: ExportLogsServiceRequest,
  onAttachments: (found: TraceAttachments) => void,
): Generator<readonly LogMessage[] | Rejection> {
  for (const { scopeLogs } of request.resourceLogs) {
    for (const record of scopeLogs.flatMap(({ logRecords }) => logRecords)) {
      const result = readRecord(record, onAttachments);
      if (result !== undefined) yield result;
    }
  }
}

const int64Max = 2n ** 63n - 1n;

function readRecord(
  record: LogRecord,
  onAttachments: (found: TraceAttachments) => void,
): readonly LogMessage[] | Rejection | undefined {
  const extraction = new Extraction();
  const attributes = extraction.attributes(toAttributes(record.attributes));
  const name = record.eventName || (text(attributes["event.name"]) ?? "");
  if (!name.startsWith("gen_ai.")) return undefined;
  const content = eventContent(name, attributes, record.body && extraction.value(toJsonValue(record.body)));
  if (content === undefined) return undefined;
  const digits = hexId(record.traceId, 16);
  const spanId = hexId(record.spanId, 8);
  if (digits === undefined || spanId === undefined) return { error: `A record ${name} must name its trace and span` };
  const traceId = traceUuid(digits);
  const step = stepId(traceId, spanId);
  if (extraction.attachments.length > 0) onAttachments({ traceId, attachments: extraction.attachments });
  const nanos = record.timeUnixNano || record.observedTimeUnixNano;
  const recordedAt = String(nanos < int64Max ? nanos : int64Max);
  const message = (isOutput: boolean) => (json: JsonValue, index: number) => ({
    traceId,
    stepId: step,
    isOutput,
    recordedAt,
    content: json,
    id: derivedId("log-message", traceId, step, String(isOutput), index, recordedAt, JSON.stringify(json)),
    finishReason: isOutput ? (content.finishReason ?? null) : null,
  });
  return [...content.inputMessages.map(message(false)), ...content.outputMessages.map(message(true))];
}
