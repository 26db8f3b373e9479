import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import type { Route } from "../rest/routes.ts";

/** An RPC that the gRPC port serves. */
export interface PublicRpc {
  /** On the wire. */
  readonly method: DescMethodUnary;
  /** The RPC that answers, with its limits. */
  readonly route: Route;
  readonly request: (message: Message) => Message;
  readonly response: (message: Message) => Message;
}
