// Endpoints: RPCs with their interceptors and handlers. Every transport passes its calls to an endpoint.

import { create, type DescMethod, type DescMethodUnary, type DescService } from "@bufbuild/protobuf";
import type { Interceptor, UnaryRequest, UnaryResponse } from "@connectrpc/connect";
import { unimplemented } from "../errors.ts";
import { InterceptedCall } from "./call.ts";
import { etagHeader } from "./etag.ts";
import { replayedHeader } from "./idempotency-key.ts";
import type { Mount } from "./service.ts";

export type Invoke = (request: UnaryRequest) => Promise<UnaryResponse>;

export interface Endpoint {
  readonly service: DescService;
  readonly method: DescMethodUnary;
  readonly invoke: Invoke;
}

/** Creates one endpoint per method of `mounts`. The first interceptor is the outermost. */
export function endpoints(mounts: readonly Mount[], interceptors: readonly Interceptor[]): Endpoint[] {
  return mounts.flatMap(({ service, handlers }) =>
    service.methods.map((method) => {
      if (!isUnary(method)) throw new Error(`${service.typeName}.${method.name}: only unary RPCs are supported`);
      const handler = handlers[method.localName];
      const handle = async (request: UnaryRequest): Promise<UnaryResponse> => {
        if (handler === undefined) throw unimplemented(`${service.typeName}.${method.name}`);
        const call = new InterceptedCall(request);
        const message = create(method.output, await handler(request.message, call));
        const header = getHeaders(call);
        return { stream: false, service, method, message, header, trailer: noHeaders };
      };
      return { service, method, invoke: intercept(handle, interceptors) };
    }),
  );
}

function getHeaders({ isReplayed, etag }: InterceptedCall): Headers {
  if (!isReplayed && etag === undefined) return noHeaders;
  const headers = new Headers();
  if (isReplayed) headers.set(replayedHeader, "true");
  if (etag !== undefined) headers.set(etagHeader, etag);
  return headers;
}

/** Headers of most responses; immutable. */
const noHeaders = new Headers();

function intercept(handle: Invoke, interceptors: readonly Interceptor[]): Invoke {
  type Next = Parameters<Interceptor>[0];
  // Connect's interceptor type also covers streaming calls, which do not exist here.
  return interceptors.reduceRight((next, interceptor) => interceptor(next), handle as Next) as Invoke;
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}
