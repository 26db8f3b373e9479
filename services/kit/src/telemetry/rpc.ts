// Metrics and spans of RPCs, over any transport.

import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { histogram } from "./metrics.ts";
import { isTracing, type Span, startSpan, traceparentHeader } from "./trace.ts";

const observe = histogram({
  name: "rpc_server_call_duration_seconds",
  help: "Duration of calls.",
  labels: ["rpc_system_name", "rpc_method", "rpc_response_status_code"],
});

/** Observes the duration of a call, whatever its outcome. */
export function observeCall({ parent, name }: DescMethod, error: ConnectError | undefined, durationMs: number): void {
  const rpc_method = `${parent.typeName}/${name}`;
  const rpc_response_status_code = error === undefined ? "OK" : getStatusName(error);
  observe({ rpc_system_name: "grpc", rpc_method, rpc_response_status_code }, durationMs);
}

/** Returns gRPC's name of an error's code: `NOT_FOUND`. */
export function getStatusName(error: unknown): string {
  const code = error instanceof ConnectError ? error.code : Code.Internal;
  return (Code[code] ?? "Unknown").replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase();
}

/**
 * Adds a client span around each call of `transport`, and sends the trace context with it. Returns `transport`
 * unchanged without tracing.
 */
export function tracedTransport(transport: Transport): Transport {
  if (!isTracing()) return transport;
  return {
    stream: (...call) => transport.stream(...call),
    unary: (method, signal, timeoutMs, header, input, contextValues) => {
      const name = `${method.parent.typeName}/${method.name}`;
      const span = startSpan(name, { role: "client", attributes: getAttributes(name) });
      if (span.traceparent === undefined) {
        return transport.unary(method, signal, timeoutMs, header, input, contextValues);
      }
      const headers = new Headers(header);
      headers.set(traceparentHeader, span.traceparent);
      return within(span, () => transport.unary(method, signal, timeoutMs, headers, input, contextValues));
    },
  };
}

/** Adds a server span around each call. */
export const spanInterceptor: Interceptor = (next) => (request) => {
  const name = `${request.service.typeName}/${request.method.name}`;
  const parent = request.header.get(traceparentHeader) ?? undefined;
  return within(startSpan(name, { role: "server", attributes: getAttributes(name), parent }), () => next(request));
};

function getAttributes(method: string) {
  return { "rpc.system.name": "grpc", "rpc.method": method };
}

async function within<T>(span: Span, call: () => Promise<T>): Promise<T> {
  try {
    const response = await span.run(call);
    span.end({ "rpc.response.status_code": "OK" });
    return response;
  } catch (error) {
    const status = getStatusName(error);
    span.end({ "rpc.response.status_code": status }, status);
    throw error;
  }
}
