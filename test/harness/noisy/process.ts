// A noisy client in a process of its own, so that it does not disturb measurements.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { NoiseName } from "./index.ts";
import type { Counts, NoisyLimits, NoisyTarget } from "./noise.ts";

/** The order to the process. */
export interface NoisyOrder {
  readonly name: NoiseName;
  readonly target: NoisyTarget;
  readonly limits: NoisyLimits;
}

/** Maximum duration of a noise. */
const patienceMs = 20_000;

export interface NoisyProcess {
  /** The answers that it got, once it has ended. */
  readonly counts: Promise<Counts>;
  /** Ends it early. */
  stop(): void;
}

export async function startNoise(order: NoisyOrder): Promise<NoisyProcess> {
  const child = fork(join(import.meta.dirname, "main.ts"), { execArgv: [] });
  const stop = () => void child.kill("SIGKILL");
  await once(child, "message");
  const counts = awaitCounts(child);
  child.send(order);
  const timer = setTimeout(stop, order.limits.seconds * 1_000 + patienceMs);
  return { counts: counts.finally(() => clearTimeout(timer)), stop };
}

async function awaitCounts(child: ChildProcess): Promise<Counts> {
  const result = once(child, "message").then(([counts]) => counts as Counts);
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the noisy client ended (${code ?? signal}) without a word`);
  });
  return Promise.race([result, ended]);
}
