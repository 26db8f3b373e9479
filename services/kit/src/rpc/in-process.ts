// The in-process transport: a call is a function call through the same interceptors, without serialization. Messages
// are passed by reference, so neither side may change a message that it has sent or received.

import { create, type DescMessage, type DescMethodUnary, type MessageInitShape } from "@bufbuild/protobuf";
import type { ContextValues, Transport, UnaryResponse } from "@connectrpc/connect";
import { monotonicMs } from "../clock.ts";
import { canceled, deadlineExceeded, unimplemented } from "../errors.ts";
import { tracedTransport } from "../telemetry/rpc.ts";
import { tenantKey } from "./call.ts";
import type { Endpoint } from "./endpoints.ts";
import { IncomingRequest, LazySignal } from "./incoming-request.ts";

/**
 * Creates a transport to `served` for the caller `name`, without tokens: a reference to the transport is the
 * authorization. Endpoints are looked up at the first call, so that services may start in any order.
 */
export function inProcessTransport(served: () => readonly Endpoint[], name: string): Transport {
  const endpoints = new Map<DescMethodUnary, Endpoint>();
  const find = (method: DescMethodUnary): Endpoint | undefined => {
    const endpoint = endpoints.get(method) ?? served().find((candidate) => candidate.method === method);
    if (endpoint !== undefined) endpoints.set(method, endpoint);
    return endpoint;
  };
  return {
    unary<I extends DescMessage, O extends DescMessage>(
      method: DescMethodUnary<I, O>,
      signal: AbortSignal | undefined,
      timeoutMs: number | undefined,
      header: ConstructorParameters<typeof Headers>[0],
      input: MessageInitShape<I>,
      contextValues?: ContextValues,
    ): Promise<UnaryResponse<I, O>> {
      const endpoint = find(method);
      if (endpoint === undefined) return Promise.reject(unimplemented(`${method.parent.typeName}.${method.name}`));
      const caller = { name, tenant: contextValues?.get(tenantKey) };
      const message = create(method.input, input);
      const lazy = new LazySignal();
      const deadlineMs = timeoutMs === undefined ? undefined : monotonicMs() + timeoutMs;
      const request = new IncomingRequest(endpoint, caller, message, header, deadlineMs, lazy);
      // The endpoint belongs to the method, so its response is the method's output.
      return bounded(endpoint.invoke(request) as Promise<UnaryResponse<I, O>>, timeoutMs, signal, lazy);
    },
    stream() {
      return Promise.reject(unimplemented("Streaming"));
    },
  };
}

/** Resolves with `response`, or rejects at the deadline or the caller's cancellation, whichever comes first. */
function bounded<T>(
  response: Promise<T>,
  timeoutMs: number | undefined,
  outer: AbortSignal | undefined,
  inner: LazySignal,
) {
  if (timeoutMs === undefined && outer === undefined) return response;
  return new Promise<T>((resolve, reject) => {
    const stop = (reason: Error) => {
      inner.abort(reason);
      reject(reason);
    };
    const onAbort = () => stop(canceled(outer?.reason));
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop(deadlineExceeded()), timeoutMs);
    if (outer?.aborted) onAbort();
    else outer?.addEventListener("abort", onAbort);
    const end =
      <V>(finish: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer);
        outer?.removeEventListener("abort", onAbort);
        finish(value);
      };
    response.then(end(resolve), end(reject));
  });
}

/** Returns transports of the process `name` to its peers in this process, by the peer's name. */
export function inProcessPeers(name: string, findEndpoints: (peer: string) => readonly Endpoint[]) {
  const transports = new Map<string, Transport>();
  return (peer: string): Transport => {
    const transport = transports.get(peer) ?? tracedTransport(inProcessTransport(() => findEndpoints(peer), name));
    transports.set(peer, transport);
    return transport;
  };
}
