// What the gRPC port serves: RPCs of one answer, which are routes, and those whose answers are a stream.

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
  /** On the wire. */
  readonly method: DescMethodUnary;
  /** The RPC that answers, with its limits. */
  readonly route: Route;
  /** Bytes that pass unread, of a message that another RPC answers. */
  readonly raw?: {
    readonly request: (payload: Uint8Array, isJson: boolean) => Message;
    readonly response: (message: Message) => Uint8Array;
  };
}

export interface PublicStream {
  readonly kind: "stream";
  readonly method: DescMethodServerStreaming;
  /** The answers, each made when the client has read those before. They end soon after `call.signal` is aborted. */
  readonly open: (message: Message, call: StreamCall) => AsyncIterable<Message>;
}

export interface StreamCall {
  readonly owner: Pick<Principal, "applicationId">;
  /** Aborted when the client goes away, its deadline passes, its key is deleted, or the server ends it; with that error as its reason. */
  readonly signal: AbortSignal;
  /** Calls an RPC of a service on behalf of `owner`, until `signal` is aborted. */
  readonly call: <I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    message: MessageInitShape<I>,
    timeoutMs: number,
  ) => Promise<MessageShape<O>>;
}
