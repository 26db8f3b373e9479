// Finds the request whose code blocks the event loop. Marks are set where code of a request begins and where it waits,
// so that a long time between two marks belongs to a request; a timer sets marks in between.

import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "../log.ts";
import { counter, histogram } from "./metrics.ts";

/** Known properties of a request. `route` is the pattern of its path, since paths contain ids. */
export interface Work {
  readonly method?: string;
  readonly route?: string;
  readonly rpc?: string;
  readonly requestId?: string | undefined;
  applicationId?: string | undefined;
}

/** Code that runs this long without a break is reported. */
export const heldMs = 250;

/** Minimum CPU time of code to report: a busy machine may not run the process for as long. */
const usedMinMs = 200;

/** Interval of the timer. Each run ends the current measurement, so that idle time does not count for a request. */
const beatMs = 25;

const observeHold = histogram({
  name: "ems_event_loop_held_seconds",
  help: `Time that code blocked the event loop for ${heldMs} ms or more, by request; without labels for other code.`,
  labels: ["http_request_method", "http_route", "rpc_method"],
});
const countHold = counter({
  name: "ems_event_loop_holds_total",
  help: `Number of times that code blocked the event loop for ${heldMs} ms or more.`,
  labels: [],
  zeros: [{}],
});

const works = new AsyncLocalStorage<Work>();

export class Watchdog {
  #log: Logger | undefined;
  #markMs = performance.now();
  /** Request whose code has run since the last mark. */
  #running: Work | undefined;
  #beat = usage();

  /** Starts reporting to `log`. Returns a function that stops it. */
  start(log: Logger): () => void {
    this.#log = log;
    this.#mark(undefined);
    this.#beat = usage();
    const timer = setInterval(() => this.#onBeat(), beatMs).unref();
    return () => {
      clearInterval(timer);
      this.#log = undefined;
    };
  }

  /** Request of the calling code. */
  get work(): Work | undefined {
    return works.getStore();
  }

  /** Runs the start of a request, and everything that it calls, as `work`. */
  run<T>(work: Work, begin: () => T): T {
    return works.run(work, () => {
      this.enter();
      return begin();
    });
  }

  /** Like `run`, for a complete request. */
  watch<T>(work: Work, handle: () => Promise<T>): Promise<T> {
    return this.run(work, async () => {
      try {
        return await handle();
      } finally {
        this.leave();
      }
    });
  }

  /** Marks that code of the request begins, or continues after waiting. */
  enter(): void {
    this.#mark(this.#running, works.getStore());
  }

  /** Marks that code of the request ends, or waits. */
  leave(): void {
    const work = works.getStore();
    // An in-process call of the same request has started and waits, without a mark; the time belongs to it.
    const isWithin = this.#running !== undefined && this.#running.requestId === work?.requestId;
    this.#mark(isWithin ? this.#running : work);
  }

  /** Marks that the request waits for something outside of this process. */
  async wait<T>(outside: Promise<T>): Promise<T> {
    this.leave();
    try {
      return await outside;
    } finally {
      this.enter();
    }
  }

  #onBeat(): void {
    this.#mark(this.#running);
    this.#beat = usage();
  }

  /** `ran` is the request whose code has run since the last mark. */
  #mark(ran: Work | undefined, next?: Work): void {
    const nowMs = performance.now();
    if (nowMs - this.#markMs >= heldMs && this.#log !== undefined) this.#report(ran, nowMs, this.#log);
    this.#markMs = nowMs;
    this.#running = next;
  }

  #report({ method, route, rpc, requestId, applicationId }: Work = {}, nowMs: number, log: Logger): void {
    const { atMs, idleMs, cpuMs } = usage();
    const busyMs = atMs - this.#beat.atMs - (idleMs - this.#beat.idleMs);
    const ms = Math.min(nowMs - this.#markMs, busyMs);
    const usedMs = cpuMs - this.#beat.cpuMs;
    // With little CPU time, the machine did not run the process, so no request is to blame.
    if (ms < heldMs || usedMs < usedMinMs) return;
    observeHold({ http_request_method: method ?? "", http_route: route ?? "", rpc_method: rpc ?? "" }, ms);
    countHold({});
    const times = { ms: Math.round(ms), cpuMs: Math.round(usedMs) };
    log.warn({ method, route, rpc, applicationId, requestId, ...times }, "event loop held");
  }
}

interface Usage {
  readonly atMs: number;
  /** Time that the event loop has waited, since the start of the process. */
  readonly idleMs: number;
  /** CPU time of this thread. */
  readonly cpuMs: number;
}

function usage(): Usage {
  const { user, system } = process.threadCpuUsage();
  const { idle } = performance.eventLoopUtilization();
  return { atMs: performance.now(), idleMs: idle, cpuMs: (user + system) / 1000 };
}

/** Watchdog of this process. */
export const watchdog = new Watchdog();
