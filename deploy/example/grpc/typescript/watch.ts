// Every event once, across restarts of the server and of this process, which is given the last token.

import { setTimeout as sleep } from "node:timers/promises";
import type { Event } from "@ems/proto/events/v1/event";
import { EventService, type WatchResponse } from "@ems/proto/notifications/v1/event_service";
import grpc from "@grpc/grpc-js";
import type { Connection } from "./connection.ts";

/** Longer than the time between two heartbeats: a stream that is silent for longer is lost. */
const silenceMaxMs = 60_000;

/** The token is older than the events that are kept, a key that is gone, a wrong request: no repeat helps. */
const final = [
  grpc.status.OUT_OF_RANGE,
  grpc.status.UNAUTHENTICATED,
  grpc.status.PERMISSION_DENIED,
  grpc.status.INVALID_ARGUMENT,
  grpc.status.UNIMPLEMENTED,
];

export async function watch(connection: Connection, resumeToken: string): Promise<void> {
  for (let token = resumeToken; ; await sleep(1_000)) {
    const stream = connection.stream(EventService.method.watch, { resumeToken: token });
    const silence = setTimeout(() => stream.cancel(), silenceMaxMs);
    try {
      // Iterating holds the server back while an event is being handled.
      for await (const message of stream as AsyncIterable<WatchResponse>) {
        silence.refresh();
        if (message.event !== undefined) await handle(message.event, message.resumeToken);
        token = message.resumeToken;
      }
    } catch (error) {
      const { code, details } = error as grpc.ServiceError;
      if (code === undefined || final.includes(code)) throw error;
      console.error("resuming after:", grpc.status[code], details);
    } finally {
      clearTimeout(silence);
    }
  }
}

/** Would change this service's own database, and store the token in the same transaction. */
async function handle({ id, data }: Event, token: string): Promise<void> {
  console.log("event", id, data.case, "token", token);
}
