import { create } from "@bufbuild/protobuf";
import { IngestEventsRequestSchema, IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { expect, test } from "vitest";
import { checkRows } from "./check-rows.ts";

test("a request can create as many rows as the limit, and no more", () => {
  const request = create(IngestEventsRequestSchema, { events: [{ type: "trace", steps: [{ type: "log" }] }] });
  const check = (max: number) => () => checkRows(IngestService.method.ingestEvents, request, max);
  expect(check(2)).not.toThrow();
  expect(check(1)).toThrow("A request can create at most 1 traces and steps");
});
