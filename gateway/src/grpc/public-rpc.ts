// RPCs of the gRPC port: unary ones, which are routes, and streams.

import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  Message,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Principal } from "../auth/principal.ts";
import type { Route } from "../rest/routes.ts";

export type PublicRpc = PublicUnary | PublicStream;

export interface PublicUnary {
  readonly kind: "unary";
  /** RPC that clients call. */
  readonly method: DescMethodUnary;
  /** Route of the RPC that serves the call, with its limits. */
  readonly route: Route;
  /** Conversions for an RPC whose payload passes through unread, as a bytes field of the route's message. */
  readonly raw?: {
    readonly request: (payload: Uint8Array, isJson: boolean) => Message;
    readonly response: (message: Message) => Uint8Array;
  };
}

export interface PublicStream {
  readonly kind: "stream";
  readonly method: DescMethodServerStreaming;
  /** Yields messages, each after the client has read the previous ones. Ends soon after `call.signal` is aborted. */
  readonly open: (message: Message, call: StreamCall) => AsyncIterable<Message>;
}

export interface StreamCall {
  readonly owner: Pick<Principal, "applicationId">;
  /**
   * Aborted when the client disconnects, its deadline passes, its key is deleted, or the server ends the stream. The
   * abort reason is the error for the client.
   */
  readonly signal: AbortSignal;
  /** Calls an RPC of a service on behalf of `owner`, until `signal` is aborted. */
  readonly call: <I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    message: MessageInitShape<I>,
    timeoutMs: number,
  ) => Promise<MessageShape<O>>;
}
