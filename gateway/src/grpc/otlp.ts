// OpenTelemetry's services over gRPC, answered by the RPCs of OtlpService: bytes in, bytes out, as over HTTP.

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type Empty, EmptySchema } from "@bufbuild/protobuf/wkt";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { LogsService } from "@ems/proto/opentelemetry/proto/collector/logs/v1/logs_service";
import { MetricsService } from "@ems/proto/opentelemetry/proto/collector/metrics/v1/metrics_service";
import { TraceService } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { protobufType } from "../rest/protobuf-status.ts";
import type { Route } from "../rest/routes.ts";
import type { PublicRpc } from "./public-rpc.ts";

const methods = [
  [TraceService.method.export, OtlpService.method.exportTraces],
  [LogsService.method.export, OtlpService.method.exportLogs],
  [MetricsService.method.export, OtlpService.method.exportMetrics],
] as const;

export function otlpRpcs(routes: readonly Route[]): PublicRpc[] {
  return methods.map(([wire, method]) => {
    const route = routes.find((one) => one.method === method);
    if (route === undefined) throw new Error(`${method.name} is not a route`);
    return {
      // Unread: a message without fields keeps all of them as unknown ones, which are written as they came.
      method: { ...wire, input: EmptySchema, output: EmptySchema },
      route,
      request: (message) =>
        create(method.input, { payload: toBinary(EmptySchema, message as Empty), contentType: protobufType }),
      response: (message) => fromBinary(EmptySchema, (message as typeof message & { payload: Uint8Array }).payload),
    };
  });
}
