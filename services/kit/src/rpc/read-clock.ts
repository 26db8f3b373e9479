// A service's time, which it states in the trailer of its health answer.

import grpc from "@grpc/grpc-js";
import { type ClockReading, monotonicMs } from "../clock.ts";
import { healthCheckPath, timeHeader } from "./grpc-metadata.ts";

/** grpc-js takes deadlines by the wall clock, and sets a timer at once. */
export function wallDeadline(deadlineMs: number): number {
  return Date.now() + deadlineMs - monotonicMs();
}

const readClockMs = 2_000;

/** Asks the service behind `client` for its time. The message of its health answer is not read. */
export function readClock(client: grpc.Client): Promise<ClockReading> {
  return new Promise((resolve, reject) => {
    const askedMs = monotonicMs();
    const options = { deadline: wallDeadline(askedMs + readClockMs) };
    client
      .makeUnaryRequest(healthCheckPath, empty, ignored, undefined, new grpc.Metadata(), options, () => undefined)
      .on("status", ({ metadata, details }) => {
        const referenceMs = Number(metadata.get(timeHeader)[0] ?? Number.NaN);
        if (Number.isNaN(referenceMs)) reject(new Error(`The peer does not state its time: ${details}`));
        else resolve({ referenceMs, askedMs, answeredMs: monotonicMs() });
      });
  });
}

const empty = () => Buffer.alloc(0);
const ignored = () => undefined;
