// Reads a service's time from the trailer of its health response.

import grpc from "@grpc/grpc-js";
import { type ClockReading, monotonicMs } from "../clock.ts";
import { healthCheckPath, timeHeader } from "./grpc-metadata.ts";

/** Converts a deadline to the wall clock for grpc-js, which sets a timer at once: later jumps are harmless. */
export function wallDeadline(deadlineMs: number): number {
  return Date.now() + deadlineMs - monotonicMs();
}

const readClockMs = 2_000;

/** Requests the service's time through `client`. The message of the health response is ignored. */
export function readClock(client: grpc.Client): Promise<ClockReading> {
  return new Promise((resolve, reject) => {
    const askedMs = monotonicMs();
    const options = { deadline: wallDeadline(askedMs + readClockMs) };
    client
      .makeUnaryRequest(healthCheckPath, empty, ignored, undefined, new grpc.Metadata(), options, () => undefined)
      .on("status", ({ metadata, details }) => {
        const referenceMs = Number(metadata.get(timeHeader)[0] ?? Number.NaN);
        if (Number.isNaN(referenceMs)) reject(new Error(`The peer sent no time: ${details}`));
        else resolve({ referenceMs, askedMs, answeredMs: monotonicMs() });
      });
  });
}

const empty = () => Buffer.alloc(0);
const ignored = () => undefined;
