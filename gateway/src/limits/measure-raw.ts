// The complexity of a body that a service reads: its values cost that service as much as parsed ones cost the gateway.

import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { ExportLogsServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/logs/v1/logs_service";
import { ExportMetricsServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/metrics/v1/metrics_service";
import { ExportTraceServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { type BodyMeasure, measureBody, type ValueLimits } from "../rest/parse-body.ts";
import { protobufType } from "../rest/protobuf-status.ts";
import { measureMessage } from "./measure-message.ts";

const messages = new Map<DescMethod, DescMessage>([
  [OtlpService.method.exportTraces, ExportTraceServiceRequestSchema],
  [OtlpService.method.exportLogs, ExportLogsServiceRequestSchema],
  [OtlpService.method.exportMetrics, ExportMetricsServiceRequestSchema],
]);

const unmeasured: BodyMeasure = { values: 0, textValues: 0, isTooDeep: false };

/** Nothing of a type that is no structure, such as a form with files. */
export function measureRaw(
  method: DescMethod,
  payload: Uint8Array,
  contentType: string | undefined,
  limits: ValueLimits,
): BodyMeasure {
  if (contentType === "application/json") return measureBody(payload, limits);
  const desc = contentType === protobufType ? messages.get(method) : undefined;
  if (desc === undefined) return unmeasured;
  try {
    return measureMessage(desc, payload, limits);
  } catch {
    // The service answers bytes that are no message.
    return unmeasured;
  }
}
