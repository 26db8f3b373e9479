// Handles every event once, even if the server or this process restarts. This process starts with the last token.

import { setTimeout as sleep } from "node:timers/promises";
import type { Event } from "@ems/proto/events/v1/event";
import { EventService, type WatchResponse } from "@ems/proto/notifications/v1/event_service";
import grpc from "@grpc/grpc-js";
import type { Connection } from "./connection.ts";

/** Longer than the heartbeat interval. A stream that is silent for longer is lost. */
const silenceMaxMs = 60_000;

/** Statuses not to retry: the token is older than the stored events, the key was deleted or the request is invalid. */
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
      // Iteration applies backpressure while an event is being handled.
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

/** Handles an event. A real service changes its database here and stores the token in the same transaction. */
async function handle({ id, data }: Event, token: string): Promise<void> {
  console.log("event", id, data.case, "token", token);
}
