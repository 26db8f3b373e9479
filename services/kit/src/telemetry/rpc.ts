// Metrics and spans of RPCs, over whatever transport.

import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { histogram } from "./metrics.ts";
import { type Span, startSpan, traceparentHeader } from "./trace.ts";

const observe = histogram({
  name: "rpc_server_call_duration_seconds",
  help: "How long calls took to answer.",
  labels: ["rpc_system_name", "rpc_method", "rpc_response_status_code"],
});

/** gRPC's name of a code: `NOT_FOUND`. */
function statusName(code: Code): string {
  return (Code[code] ?? "Unknown").replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase();
}

function statusOf(error: unknown): string {
  return statusName(error instanceof ConnectError ? error.code : Code.Internal);
}

/** Observes the duration of every call that is answered. */
export function metricsInterceptor(): Interceptor {
  return (next) => async (request) => {
    const startedMs = performance.now();
    const rpc_method = `${request.service.typeName}/${request.method.name}`;
    const observeAs = (rpc_response_status_code: string) =>
      observe({ rpc_system_name: "grpc", rpc_method, rpc_response_status_code }, performance.now() - startedMs);
    try {
      const response = await next(request);
      observeAs("OK");
      return response;
    } catch (error) {
      observeAs(statusOf(error));
      throw error;
    }
  };
}

/** `transport` with a client span around each call; the trace context travels with the call. */
export function tracedTransport(transport: Transport): Transport {
  return {
    stream: (...call) => transport.stream(...call),
    unary: (method, signal, timeoutMs, header, input, contextValues) => {
      const name = `${method.parent.typeName}/${method.name}`;
      const span = startSpan(name, { role: "client", attributes: attributesOf(name) });
      if (span.traceparent === undefined) {
        return transport.unary(method, signal, timeoutMs, header, input, contextValues);
      }
      const headers = new Headers(header);
      headers.set(traceparentHeader, span.traceparent);
      return within(span, () => transport.unary(method, signal, timeoutMs, headers, input, contextValues));
    },
  };
}

/** A server span around each call that is answered. */
export function spanInterceptor(): Interceptor {
  return (next) => (request) => {
    const name = `${request.service.typeName}/${request.method.name}`;
    const parent = request.header.get(traceparentHeader) ?? undefined;
    return within(startSpan(name, { role: "server", attributes: attributesOf(name), parent }), () => next(request));
  };
}

function attributesOf(method: string) {
  return { "rpc.system.name": "grpc", "rpc.method": method };
}

async function within<T>(span: Span, call: () => Promise<T>): Promise<T> {
  try {
    const response = await span.run(call);
    span.end({ "rpc.response.status_code": "OK" });
    return response;
  } catch (error) {
    const status = statusOf(error);
    span.end({ "rpc.response.status_code": status }, status);
    throw error;
  }
}
