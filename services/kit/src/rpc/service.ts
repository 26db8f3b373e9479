// Mounts: handlers by RPC, independent of any transport.

import type { DescMessage, DescMethodUnary, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Call } from "./call.ts";

/** Handles one RPC. The request is valid; errors come from errors.ts. */
export type Handler<I extends DescMessage, O extends DescMessage> = (
  request: MessageShape<I>,
  call: Call,
) => Promise<MessageInitShape<O>>;

/** A handler for every RPC of a service, by the RPC's name in lower camel case. */
export type Handlers<S extends DescService> = {
  readonly [K in keyof S["method"]]: S["method"][K] extends DescMethodUnary<infer I, infer O> ? Handler<I, O> : never;
};

/** A service with its handlers. */
export interface Mount {
  readonly service: DescService;
  readonly handlers: Readonly<Record<string, Handler<DescMessage, DescMessage>>>;
}

/** Mounts `handlers` as the implementation of `service`. */
export function mount<S extends DescService>(service: S, handlers: Handlers<S>): Mount {
  // Handlers<S> has checked each handler's types; from here on they are called by name.
  return { service, handlers: handlers as Mount["handlers"] };
}
