// Admission of a gRPC call: who calls is found out from its headers, before anything of its message is read.

import { constants, type ServerHttp2Stream } from "node:http2";
import { ConnectError } from "@connectrpc/connect";
import grpc from "@grpc/grpc-js";
import { internalError } from "../errors.ts";
import type { Receiving } from "./receiving.ts";
import type { Strangers } from "./strangers.ts";
import type { Caller } from "./tokens/claims.ts";
import type { Authenticate } from "./tokens/verify.ts";

/** What stands between a service's port and its handlers. */
export interface Gate {
  readonly authenticate: Authenticate;
  readonly receiving: Receiving;
  readonly strangers: Strangers;
  /** The largest message of a method, by its path. */
  readonly maxBytes: (path: string) => number;
}

/** Health is told to everybody: its request is the name of a service. */
const open = "/grpc.health.v1.Health/";
const openMaxBytes = 1024;

/** A stream is reset so long after its status: at once, the reset would overtake it. */
const refusalHeardMs = 100;

/** Who was admitted, by the metadata object that the handler gets too: nothing on the wire can be mistaken for it. */
const callers = new WeakMap<grpc.Metadata, Caller>();

export function callerOf(metadata: grpc.Metadata): Caller | undefined {
  return callers.get(metadata);
}

export function admission(gate: Gate, statusOf: (error: ConnectError) => grpc.StatusObject): grpc.ServerInterceptor {
  const { authenticate, receiving, strangers, maxBytes } = gate;
  return ({ path }, call) => {
    const stream = streamOf(call);
    const isOpen = path.startsWith(open);
    const incoming = receiving.begin(isOpen ? openMaxBytes : maxBytes(path), (why) => {
      call.sendStatus(statusOf(why));
      // Until then what still comes of the message is thrown away.
      setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), refusalHeardMs);
    });
    const refuse = (error: unknown) => incoming.stop(error instanceof ConnectError ? error : internalError(error));
    const listener = new grpc.ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        const read = () => {
          stream.on("data", (chunk: Buffer) => incoming.add(chunk.length));
          next(metadata);
        };
        const admit = (caller: Caller) => {
          callers.set(metadata, caller);
          strangers.known(call.getConnectionInfo());
          read();
        };
        if (isOpen) return read();
        try {
          const caller = authenticate(metadata.get("authorization")[0]?.toString());
          if (caller instanceof Promise) caller.then(admit).catch(refuse);
          else admit(caller);
        } catch (error) {
          refuse(error);
        }
      })
      .withOnReceiveHalfClose((next) => {
        incoming.end();
        next();
      })
      .withOnCancel(() => incoming.end())
      .build();
    return new grpc.ServerInterceptingCall(call, { start: (next) => next(listener) });
  };
}

/** grpc-js shows no method by which a call's stream is watched or closed. */
function streamOf(call: grpc.ServerInterceptingCallInterface): ServerHttp2Stream {
  return (call as unknown as { stream: ServerHttp2Stream }).stream;
}
