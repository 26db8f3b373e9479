// A client of EventService.Watch by grpc-js: one stream, or one after another by the token of the last message.

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  EventService,
  type WatchRequest,
  WatchRequestSchema,
  type WatchResponse,
  WatchResponseSchema,
} from "@ems/proto/notifications/v1/event_service";
import grpc from "@grpc/grpc-js";

type Request = Partial<Pick<WatchRequest, "types" | "start" | "resumeToken">>;
export type WatchStream = grpc.ClientReadableStream<WatchResponse>;

export interface WatchClient {
  open(request?: Request, options?: grpc.CallOptions): WatchStream;
  close(): void;
}

const path = `/${EventService.typeName}/${EventService.method.watch.name}`;

export function watchClient(grpcUrl: string, apiKey: string): WatchClient {
  const client = new grpc.Client(new URL(grpcUrl).host, grpc.credentials.createInsecure(), {
    "grpc.use_local_subchannel_pool": 1,
    "grpc.initial_reconnect_backoff_ms": 50,
    "grpc.max_reconnect_backoff_ms": 500,
  });
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${apiKey}`);
  return {
    open(request = {}, options = {}) {
      const stream = client.makeServerStreamRequest<Request, WatchResponse>(
        path,
        (message) => Buffer.from(toBinary(WatchRequestSchema, create(WatchRequestSchema, message))),
        (bytes) => fromBinary(WatchResponseSchema, bytes),
        request,
        metadata,
        options,
      );
      // The iterator reports the stream's error to its reader.
      stream.on("error", () => undefined);
      return stream;
    },
    close: () => client.close(),
  };
}

/** Messages of a stream, to its end; throws grpc-js's error. */
export async function* messages(stream: WatchStream): AsyncGenerator<WatchResponse> {
  for await (const message of stream) yield message as WatchResponse;
}

/** Waits for the next message with an event. */
export async function nextEvent(stream: AsyncGenerator<WatchResponse>): Promise<WatchResponse> {
  for (;;) {
    const { value, done } = await stream.next();
    if (done) throw new Error("the stream has ended");
    if (value.event !== undefined) return value;
  }
}

/** The error that ends a stream. */
export async function failure(stream: WatchStream): Promise<grpc.ServiceError> {
  try {
    for await (const message of messages(stream)) void message;
  } catch (error) {
    return error as grpc.ServiceError;
  }
  throw new Error("the stream ended without an error");
}

export interface Follower {
  /** Ids of all events, in order of arrival. */
  readonly ids: string[];
  /** Number of times that a stream was resumed. */
  readonly resumed: () => number;
  /** The reason why it gave up; undefined while it runs. */
  readonly failure: () => unknown;
  stop(): Promise<void>;
}

export interface FollowOptions extends Request {
  /** Client of the stream's current gateway, whose port may change. */
  readonly client: () => WatchClient;
  /** Ends each stream after that many messages, and resumes. */
  readonly messagesMax?: () => number;
}

/** Follows a stream as a client does: resumes it whenever it ends for a transient reason. */
export function follow({ client, messagesMax = () => Infinity, ...request }: FollowOptions): Follower {
  const ids: string[] = [];
  let resumeToken = request.resumeToken ?? "";
  let [isStopped, resumed, failed]: [boolean, number, unknown] = [false, 0, undefined];
  let stream: WatchStream | undefined;
  const run = async () => {
    for (; !isStopped; resumed += 1) {
      stream = client().open({ ...request, resumeToken });
      let left = messagesMax();
      try {
        for await (const { event, resumeToken: token } of messages(stream)) {
          if (event !== undefined) ids.push(event.id);
          resumeToken = token;
          left -= 1;
          if (left <= 0) break;
        }
      } catch (error) {
        const passes: unknown[] = [grpc.status.UNAVAILABLE, grpc.status.CANCELLED];
        if (!passes.includes((error as grpc.ServiceError).code)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      stream.cancel();
    }
  };
  const running = run().catch((error: unknown) => {
    failed = error;
  });
  return {
    ids,
    resumed: () => resumed,
    failure: () => failed,
    async stop() {
      isStopped = true;
      stream?.cancel();
      await running;
    },
  };
}
