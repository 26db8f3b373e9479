// Authenticates gRPC calls by their headers, before the message is read.

import { constants, type ServerHttp2Stream } from "node:http2";
import type { ConnectError } from "@connectrpc/connect";
import grpc from "@grpc/grpc-js";
import { systemClock } from "../clock.ts";
import { requestIdHeader } from "./call.ts";
import { timeHeader } from "./grpc-metadata.ts";
import type { InboundMessages } from "./inbound-messages.ts";
import { refusal } from "./refuse.ts";
import type { Caller } from "./tokens/claims.ts";
import type { Authenticate } from "./tokens/verify.ts";
import type { UnauthenticatedConnections } from "./unauthenticated-connections.ts";

/** Admission rules that both servers of a port share. */
export interface Admission {
  readonly authenticate: Authenticate;
  readonly inbound: InboundMessages;
  readonly unauthenticated: UnauthenticatedConnections;
  /** Maximum request size of a method, by its path. */
  readonly requestBytesMax: (path: string) => number;
}

/** Health checks need no token: their request contains only a service's name. */
const healthPath = "/grpc.health.v1.Health/";
const healthBytesMax = 1024;

/** Delay before a stream's reset, which would otherwise overtake the status. */
const resetDelayMs = 100;

/** Callers by the metadata object of their call, which the handler also gets. No header can imitate this link. */
const callers = new WeakMap<grpc.Metadata, Caller>();

export function getCaller(metadata: grpc.Metadata): Caller | undefined {
  return callers.get(metadata);
}

export function authenticateCall(
  { authenticate, inbound, unauthenticated, requestBytesMax }: Admission,
  toStatus: (error: ConnectError) => grpc.StatusObject,
): grpc.ServerInterceptor {
  const authenticatedSessions = new WeakSet<object>();
  return ({ path }, call) => {
    const stream = getStream(call);
    const isHealth = path.startsWith(healthPath);
    const message = inbound.begin(isHealth ? healthBytesMax : requestBytesMax(path), (error) => {
      call.sendStatus(toStatus(error));
      // Until the stream is closed, the rest of the message is discarded.
      setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), resetDelayMs);
    });
    const listener = new grpc.ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        const reject = (error: unknown) => message.reject(refusal(error, metadata.get(requestIdHeader)[0]));
        const proceed = () => {
          stream.on("data", (chunk: Buffer) => message.add(chunk.length));
          next(metadata);
        };
        const admit = (caller: Caller) => {
          callers.set(metadata, caller);
          const { session } = stream;
          if (session !== undefined && !authenticatedSessions.has(session)) {
            authenticatedSessions.add(session);
            unauthenticated.authenticated(call.getConnectionInfo());
          }
          proceed();
        };
        if (isHealth) return proceed();
        try {
          const caller = authenticate(metadata.get("authorization")[0]?.toString());
          if (caller instanceof Promise) caller.then(admit).catch(reject);
          else admit(caller);
        } catch (error) {
          reject(error);
        }
      })
      .withOnReceiveHalfClose((next) => {
        message.end();
        next();
      })
      .withOnCancel(() => message.end())
      .build();
    const responder = new grpc.ResponderBuilder().withStart((next) => next(listener));
    return new grpc.ServerInterceptingCall(call, (isHealth ? responder.withSendStatus(stateTime) : responder).build());
  };
}

/** Adds the time to a health response, so that callers without a database can check their clocks. */
const stateTime: Parameters<grpc.ResponderBuilder["withSendStatus"]>[0] = (status, next) => {
  const metadata = status.metadata?.clone() ?? new grpc.Metadata();
  metadata.set(timeHeader, String(systemClock.nowMs()));
  next({ ...status, metadata });
};

/** Returns a call's stream, to which grpc-js gives no public access. */
function getStream(call: grpc.ServerInterceptingCallInterface): ServerHttp2Stream {
  return (call as unknown as { stream: ServerHttp2Stream }).stream;
}
