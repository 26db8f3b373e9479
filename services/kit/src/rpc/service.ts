// How a service's RPCs are written down: a table from method to handler, independent of any transport.

import type { DescMessage, DescMethodUnary, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Call } from "./call.ts";

/** Answers one RPC. The request has passed the rules of its message; errors are thrown as made in errors.ts. */
export type Handler<I extends DescMessage, O extends DescMessage> = (
  request: MessageShape<I>,
  call: Call,
) => Promise<MessageInitShape<O>>;

/** A handler for every RPC of a service, under the RPC's name in lower camel case. */
export type Handlers<S extends DescService> = {
  readonly [K in keyof S["method"]]: S["method"][K] extends DescMethodUnary<infer I, infer O> ? Handler<I, O> : never;
};

/** A service with its handlers, ready to be offered over any transport. */
export interface Mount {
  readonly service: DescService;
  readonly handlers: Readonly<Record<string, Handler<DescMessage, DescMessage>>>;
}

/** Mounts `handlers` as the implementation of `service`. */
export function mount<S extends DescService>(service: S, handlers: Handlers<S>): Mount {
  // Handlers<S> has checked every pair of method and handler; past this line they are called by name, with messages
  // that the transport has made by the method's own descriptors.
  return { service, handlers: handlers as Mount["handlers"] };
}
