import { create } from "@bufbuild/protobuf";
import { IngestEventsRequestSchema } from "@ems/proto/experiments/v1/ingest_service";
import { expect, test } from "vitest";
import { checkRows, rowsOfEvents, rowsOfOtlp } from "./ingest-rows.ts";

test("each event is a row, and each step inside of it, however deep", () => {
  const steps = [{ type: "group", steps: [{ type: "group", steps: [{ type: "log" }] }, { type: "log" }] }];
  const events = [{ type: "trace", steps }, { type: "log" }, { type: "trace" }];
  expect(rowsOfEvents(create(IngestEventsRequestSchema, { events }).events)).toBe(7);
});

test("each span is a row; what is none of OTLP's lists is passed over", () => {
  const spans = (count: number) => ({ spans: Array(count).fill({}) });
  const resourceSpans = [{ scopeSpans: [spans(2), spans(3), { spans: "none" }, null] }, 1, { scopeSpans: [spans(4)] }];
  expect(rowsOfOtlp({ resourceSpans })).toBe(9);
  expect(rowsOfOtlp({})).toBe(0);
});

test("a request may make as many rows as the limit, and not one more", () => {
  expect(() => checkRows(10, 10)).not.toThrow();
  expect(() => checkRows(11, 10)).toThrow("A request makes at most 10 traces and steps");
});
