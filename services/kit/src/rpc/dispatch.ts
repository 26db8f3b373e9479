// From a method to what answers it: the interceptors, and inside them the handler. Every transport ends here.

import { create, type DescMethod, type DescMethodUnary, type DescService } from "@bufbuild/protobuf";
import type { Interceptor, UnaryRequest, UnaryResponse } from "@connectrpc/connect";
import { unimplemented } from "../errors.ts";
import { callOf, replayedHeader } from "./call.ts";
import type { Mount } from "./service.ts";

export type Invoke = (request: UnaryRequest) => Promise<UnaryResponse>;

export interface Endpoint {
  readonly service: DescService;
  readonly method: DescMethodUnary;
  readonly invoke: Invoke;
}

/** One endpoint a method of `mounts`. The first interceptor is the outermost. */
export function endpoints(mounts: readonly Mount[], interceptors: readonly Interceptor[]): Endpoint[] {
  return mounts.flatMap(({ service, handlers }) =>
    service.methods.map((method) => {
      if (!isUnary(method)) throw new Error(`${service.typeName}.${method.name}: only unary RPCs are served`);
      const handler = handlers[method.localName];
      const answer = async (request: UnaryRequest): Promise<UnaryResponse> => {
        if (handler === undefined) throw unimplemented(`${service.typeName}.${method.name}`);
        const call = callOf(request);
        const message = create(method.output, await handler(request.message, call));
        const header = new Headers(call.isReplayed ? { [replayedHeader]: "true" } : {});
        return { stream: false, service, method, message, header, trailer: new Headers() };
      };
      return { service, method, invoke: intercepted(answer, interceptors) };
    }),
  );
}

function intercepted(answer: Invoke, interceptors: readonly Interceptor[]): Invoke {
  type Next = Parameters<Interceptor>[0];
  // Connect types interceptors over unary and streaming calls alike; only unary ones are ever made here.
  return interceptors.reduceRight((next, interceptor) => interceptor(next), answer as Next) as Invoke;
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}
