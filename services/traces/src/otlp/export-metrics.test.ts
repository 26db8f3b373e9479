import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import {
  ExportMetricsServiceRequestSchema,
  ExportMetricsServiceResponseSchema,
} from "@ems/proto/opentelemetry/proto/collector/metrics/v1/metrics_service";
import { testCall } from "@ems/test-support";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const call = testCall(harness.tenant);
const otlp = harness.client(OtlpService);

test("all data points are counted as rejected, with one explanation, in the request's encoding", async () => {
  const data = { case: "sum" as const, value: { dataPoints: [{}, {}] } };
  const gauge = { case: "gauge" as const, value: { dataPoints: [{}] } };
  const request = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ data }, { data: gauge }] }] }] };
  const binary = toBinary(ExportMetricsServiceRequestSchema, create(ExportMetricsServiceRequestSchema, request));
  const answer = await otlp.exportMetrics({ payload: binary, contentType: "application/x-protobuf" }, call);
  expect(answer.rows).toBe(3n);
  expect(fromBinary(ExportMetricsServiceResponseSchema, answer.payload).partialSuccess).toMatchObject({
    rejectedDataPoints: 3n,
    errorMessage: expect.stringContaining("not stored"),
  });
  const metrics = [{ name: "m", histogram: { dataPoints: [{ count: "1", bucketCounts: ["1"] }] } }];
  const json = Buffer.from(JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }));
  const other = await otlp.exportMetrics({ payload: json, contentType: "application/json" }, call);
  expect(JSON.parse(Buffer.from(other.payload).toString())).toMatchObject({
    partialSuccess: { rejectedDataPoints: 1 },
  });
});

test("a request without data points succeeds; one that cannot be decoded is invalid", async () => {
  const empty = await otlp.exportMetrics({ payload: new Uint8Array(), contentType: "application/x-protobuf" }, call);
  expect(empty).toMatchObject({ rows: 0n, payload: new Uint8Array() });
  const bad = { payload: Uint8Array.of(0xff), contentType: "application/x-protobuf" };
  await expect(otlp.exportMetrics(bad, call)).rejects.toThrow("Invalid request data");
  await expect(
    otlp.exportMetrics({ payload: Buffer.from("{"), contentType: "application/json" }, call),
  ).rejects.toThrow("Invalid request data");
});
