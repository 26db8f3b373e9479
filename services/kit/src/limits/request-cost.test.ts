import { create } from "@bufbuild/protobuf";
import {
  IngestEventsRequestSchema,
  IngestOtelTracesRequestSchema,
  IngestService,
} from "@ems/proto/experiments/v1/ingest_service";
import { FeedbackService, SendFeedbackRequestSchema } from "@ems/proto/notifications/v1/feedback_service";
import { expect, test } from "vitest";
import { requestCost } from "./request-cost.ts";

test("events cost one token per row, nested steps included", () => {
  const step = { type: "log" };
  const steps = [{ ...step, steps: [step, { ...step, steps: [step] }] }, step];
  const events = [{ type: "trace", steps }, { type: "llm" }];
  expect(requestCost(IngestService.method.ingestEvents, create(IngestEventsRequestSchema, { events }))).toBe(7);
});

test("OTLP costs one token per span; a malformed list costs nothing", () => {
  const cost = (payload: object) =>
    requestCost(
      IngestService.method.ingestOtelTraces,
      create(IngestOtelTracesRequestSchema, { payload: JSON.parse(JSON.stringify(payload)) }),
    );
  const scope = { spans: [{}, {}] };
  expect(cost({ resourceSpans: [{ scopeSpans: [scope, scope] }, { scopeSpans: [scope] }] })).toBe(6);
  for (const other of [{}, { resourceSpans: 7 }, { resourceSpans: [null, "x", { scopeSpans: { spans: [] } }] }]) {
    expect(cost(other)).toBe(0);
  }
});

test("any other request costs one token", () => {
  expect(requestCost(FeedbackService.method.sendFeedback, create(SendFeedbackRequestSchema, { feedback: "x" }))).toBe(
    1,
  );
});
