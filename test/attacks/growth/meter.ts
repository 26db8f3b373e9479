// CPU time and longest block of the event loop by a request to a product in its own process.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { getFamily } from "../../bench/processes.ts";
import { collectRequest, type ProbeReading, probeRequest } from "./probe-messages.ts";

export interface Cost {
  /** Status of the answer; 0 if the connection was closed instead. */
  readonly status: number;
  /** CPU time of the product and of PostgreSQL's connections. */
  readonly cpuMs: number;
  readonly holdMs: number;
}

export type Work = () => Promise<number>;

/** Each new PostgreSQL connection has its own process. */
const familyAgeMaxMs = 1_000;
/** The product is idle below this CPU time per window. */
const windowMs = 50;
/** The event loop's block after which the product is considered lost. */
const hungMs = 120_000;
const idleMs = 6;
const patienceMs = 1_500;

export class Meter {
  readonly #process: ChildProcess;
  #family: readonly number[] = [];
  #familyAtMs = Number.NEGATIVE_INFINITY;
  readonly #runMs = new Map<number, number>();
  #postgresTotalMs = 0;

  constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** Cost until the answer; background work counts for the next request. */
  async measure(work: Work): Promise<Cost> {
    const before = await this.#read();
    const status = await work();
    const after = await this.#read();
    return { status, cpuMs: after.cpuMs - before.cpuMs, holdMs: after.holdMs };
  }

  /** Cost including background work, of a product that was idle before. */
  async measureAlone(work: Work): Promise<Cost> {
    await this.waitUntilIdle();
    await this.#read(collectRequest);
    const before = await this.#read();
    const status = await work();
    const holdMs = await this.waitUntilIdle();
    const after = await this.#read();
    return { status, cpuMs: after.cpuMs - before.cpuMs, holdMs: Math.max(holdMs, after.holdMs) };
  }

  /** Cost of the remaining background work. */
  async measureIdle(): Promise<Omit<Cost, "status">> {
    const before = await this.#read();
    const holdMs = await this.waitUntilIdle();
    const after = await this.#read();
    return { cpuMs: after.cpuMs - before.cpuMs, holdMs: Math.max(before.holdMs, holdMs) };
  }

  /** Returns the longest block meanwhile. */
  async waitUntilIdle(): Promise<number> {
    let last = await this.#read();
    let longestMs = last.holdMs;
    for (const untilMs = performance.now() + patienceMs; performance.now() < untilMs; ) {
      await delay(windowMs);
      const next = await this.#read();
      longestMs = Math.max(longestMs, next.holdMs);
      if (next.cpuMs - last.cpuMs < idleMs) break;
      last = next;
    }
    return longestMs;
  }

  async #read(request: string = probeRequest): Promise<ProbeReading> {
    if (!this.#process.connected) throw new Error("the attacked product has ended");
    const answer = once(this.#process, "message", { signal: AbortSignal.timeout(hungMs) });
    this.#process.send(request);
    const [reading] = (await answer) as [ProbeReading];
    return { cpuMs: reading.cpuMs + this.#postgresMs(), holdMs: reading.holdMs };
  }

  /** Time of processes that have ended stays included. */
  #postgresMs(): number {
    const nowMs = performance.now();
    if (nowMs - this.#familyAtMs > familyAgeMaxMs) {
      const { pid = 0 } = this.#process;
      this.#family = getFamily(pid).filter((each) => each !== pid && !isHousekeeping(each));
      this.#familyAtMs = nowMs;
    }
    for (const pid of this.#family) {
      const ms = runMs(pid);
      this.#postgresTotalMs += Math.max(0, ms - (this.#runMs.get(pid) ?? 0));
      this.#runMs.set(pid, ms);
    }
    return this.#postgresTotalMs;
  }
}

/** PostgreSQL writes pages and vacuums when it is time to, not when a request asks. */
const housekeeping =
  /^postgres: (archiver|autovacuum|background writer|checkpointer|io worker|logical|startup|walwriter)/;

function isHousekeeping(pid: number): boolean {
  try {
    return housekeeping.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  } catch {
    return true;
  }
}

/** Nanoseconds that a process was on a processor: /proc/<pid>/stat has only hundredths of a second. */
function runMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}
