// Reads a span's events: prompts of earlier conventions, results of vector databases, exceptions. Other events are
// metadata.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Span_Event } from "@ems/proto/opentelemetry/proto/trace/v1/trace";
import type { Extraction } from "../attachments/index.ts";
import { evaluationEvent } from "../external-evaluations/index.ts";
import { feedbackEvent } from "../feedback/index.ts";
import { eventContent } from "./conventions/gen-ai-before.ts";
import { resultDocument } from "./conventions/openllmetry.ts";
import { text } from "./json-text.ts";
import { toAttributes } from "./wire/attributes.ts";

export interface SpanEvents {
  readonly inputMessages: readonly JsonValue[];
  readonly outputMessages: readonly JsonValue[];
  readonly documents: readonly JsonObject[];
  readonly finishReason: string | undefined;
  readonly exception: string | undefined;
  /** Events that are not used in a field of the step. */
  readonly otherEvents: JsonValue[];
}

const none: SpanEvents = {
  inputMessages: [],
  outputMessages: [],
  documents: [],
  finishReason: undefined,
  exception: undefined,
  otherEvents: [],
};

export function readEvents(events: readonly Span_Event[], extraction: Extraction): SpanEvents {
  if (events.length === 0) return none;
  const inputMessages: JsonValue[] = [];
  const outputMessages: JsonValue[] = [];
  const documents: JsonObject[] = [];
  const otherEvents: JsonValue[] = [];
  let finishReason: string | undefined;
  let exception: string | undefined;
  for (const { name, timeUnixNano, attributes: list } of events) {
    const attributes = extraction.attributes(toAttributes(list));
    const content = eventContent(name, attributes);
    const document = resultDocument(name, attributes);
    if (content !== undefined) {
      inputMessages.push(...content.inputMessages);
      outputMessages.push(...content.outputMessages);
      finishReason ??= content.finishReason;
    } else if (document !== undefined) documents.push(document);
    else if (name !== feedbackEvent && name !== evaluationEvent)
      otherEvents.push({ name, timeUnixNano: String(timeUnixNano), attributes });
    // If there are several exceptions, the last one made the span fail.
    if (name === "exception") exception = exceptionText(attributes) ?? exception;
  }
  return { inputMessages, outputMessages, documents, finishReason, exception, otherEvents };
}

function exceptionText(attributes: JsonObject): string | undefined {
  const type = text(attributes["exception.type"]);
  const message = text(attributes["exception.message"]);
  return type !== undefined && message !== undefined ? `${type}: ${message}` : (message ?? type);
}
