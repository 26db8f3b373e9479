import { create } from "@bufbuild/protobuf";
import type { Handlers } from "@ems/kit/rpc/service";
import type { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import {
  ExportMetricsServiceRequestSchema,
  ExportMetricsServiceResponseSchema,
} from "@ems/proto/opentelemetry/proto/collector/metrics/v1/metrics_service";
import { decode, encode } from "./wire/decode.ts";

const errorMessage =
  "Metrics are not stored: set OTEL_METRICS_EXPORTER=none, or send them to another backend. Spans and log records are accepted.";

/** Returns all data points as rejected: exporters then neither fail nor retry. */
export const exportMetrics: Handlers<typeof OtlpService>["exportMetrics"] = async ({ payload, contentType }) => {
  const { message } = decode(ExportMetricsServiceRequestSchema, payload, contentType);
  const metrics = message.resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
  const points = BigInt(metrics.reduce((sum, { data: { value } }) => sum + (value?.dataPoints.length ?? 0), 0));
  const partialSuccess = { rejectedDataPoints: points, errorMessage };
  const answer = create(ExportMetricsServiceResponseSchema, points === 0n ? {} : { partialSuccess });
  return { payload: encode(ExportMetricsServiceResponseSchema, answer, contentType), rows: points };
};
