// A nats-server for tests on any machine.

import type { TestProject } from "vitest/node";
import { findProgram } from "./debian.ts";

/** For projects whose tests start servers of their own. */
export default async function setup({ provide }: TestProject): Promise<void> {
  provide("natsServer", await natsServerBinary());
}

/** Returns the path of a nats-server. Throws with the reason if none is available. */
export function natsServerBinary(): Promise<string> {
  return findProgram({
    name: "nats-server",
    package: "nats-server",
    path: "usr/sbin/nats-server",
    advice: "Install nats-server 2.9 or later, from https://nats.io or your system's packages, so that PATH has it.",
  });
}
