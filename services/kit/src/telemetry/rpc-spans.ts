// A call's two ends in a trace: the caller's side stands before its transport, the callee's is the outermost interceptor.

import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { statusName } from "./rpc.ts";
import { type Span, startSpan, traceparentHeader } from "./trace.ts";

/** `transport`, with a span around each call; the trace context travels with the call. */
export function tracedTransport(transport: Transport): Transport {
  return {
    stream: (...call) => transport.stream(...call),
    unary: (method, signal, timeoutMs, header, input, contextValues) => {
      const name = `${method.parent.typeName}/${method.name}`;
      const span = startSpan(name, { role: "client", facts: { "rpc.system.name": "grpc", "rpc.method": name } });
      if (span.traceparent === undefined) {
        return transport.unary(method, signal, timeoutMs, header, input, contextValues);
      }
      const headers = new Headers(header);
      headers.set(traceparentHeader, span.traceparent);
      const call = () => transport.unary(method, signal, timeoutMs, headers, input, contextValues);
      return ended(span, call);
    },
  };
}

/** A span around each call that is answered. */
export function spanInterceptor(): Interceptor {
  return (next) => (request) => {
    const name = `${request.service.typeName}/${request.method.name}`;
    const parent = request.header.get(traceparentHeader) ?? undefined;
    const facts = { "rpc.system.name": "grpc", "rpc.method": name };
    return ended(startSpan(name, { role: "server", facts, parent }), () => next(request));
  };
}

async function ended<T>(span: Span, call: () => Promise<T>): Promise<T> {
  try {
    const answer = await span.run(call);
    span.end({ "rpc.response.status_code": "OK" });
    return answer;
  } catch (error) {
    const status = statusName(error instanceof ConnectError ? error.code : Code.Internal);
    span.end({ "rpc.response.status_code": status }, status);
    throw error;
  }
}
