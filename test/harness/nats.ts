// A nats-server for tests, whatever the machine has.

import type { TestProject } from "vitest/node";
import { programOf } from "./debian.ts";

/** For projects whose tests start servers of their own. */
export default async function setup({ provide }: TestProject): Promise<void> {
  provide("natsServer", await natsServerBinary());
}

/** The path of a nats-server. Fails with the reason when none can be had. */
export function natsServerBinary(): Promise<string> {
  return programOf({
    name: "nats-server",
    package: "nats-server",
    path: "usr/sbin/nats-server",
    advice: "Install nats-server 2.9 or later, from https://nats.io or your system's packages, so that PATH has it.",
  });
}
