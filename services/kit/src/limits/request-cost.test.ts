import { create } from "@bufbuild/protobuf";
import {
  IngestEventsRequestSchema,
  IngestEventsResponseSchema,
  IngestService,
} from "@ems/proto/experiments/v1/ingest_service";
import {
  ExportTracesRequestSchema,
  ExportTracesResponseSchema,
  OtlpService,
} from "@ems/proto/experiments/v1/otlp_service";
import { FeedbackService, SendFeedbackRequestSchema } from "@ems/proto/notifications/v1/feedback_service";
import { expect, test } from "vitest";
import { requestCost, responseCost } from "./request-cost.ts";

test("events cost one token per row, nested steps included", () => {
  const step = { type: "log" };
  const steps = [{ ...step, steps: [step, { ...step, steps: [step] }] }, step];
  const events = [{ type: "trace", steps }, { type: "llm" }];
  expect(requestCost(IngestService.method.ingestEvents, create(IngestEventsRequestSchema, { events }))).toBe(7);
});

test("raw bodies cost the amount in the response, charged after it", () => {
  const method = OtlpService.method.exportTraces;
  expect(requestCost(method, create(ExportTracesRequestSchema))).toBe(0);
  expect(responseCost(method, create(ExportTracesResponseSchema, { rows: 7n }))).toBe(7);
  expect(responseCost(IngestService.method.ingestEvents, create(IngestEventsResponseSchema))).toBe(0);
});

test("any other request costs one token", () => {
  expect(requestCost(FeedbackService.method.sendFeedback, create(SendFeedbackRequestSchema, { feedback: "x" }))).toBe(
    1,
  );
});
