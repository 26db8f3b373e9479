// OpenTelemetry's gRPC services, served by the RPCs of OtlpService: bytes in, bytes out, as over HTTP.

import { create } from "@bufbuild/protobuf";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { LogsService } from "@ems/proto/opentelemetry/proto/collector/logs/v1/logs_service";
import { MetricsService } from "@ems/proto/opentelemetry/proto/collector/metrics/v1/metrics_service";
import { TraceService } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { protobufType } from "../rest/protobuf-status.ts";
import type { Route } from "../rest/routes.ts";
import type { PublicUnary } from "./public-rpc.ts";

const methods = [
  [TraceService.method.export, OtlpService.method.exportTraces],
  [LogsService.method.export, OtlpService.method.exportLogs],
  [MetricsService.method.export, OtlpService.method.exportMetrics],
] as const;

export function otlpRpcs(routes: readonly Route[]): PublicUnary[] {
  return methods.map(([wire, method]) => {
    const route = routes.find((candidate) => candidate.method === method);
    if (route === undefined) throw new Error(`${method.name} is not a route`);
    return {
      kind: "unary",
      method: wire,
      route,
      raw: {
        request: (payload, isJson) =>
          create(method.input, { payload, contentType: isJson ? "application/json" : protobufType }),
        response: (message) => (message as typeof message & { payload: Uint8Array }).payload,
      },
    };
  });
}
