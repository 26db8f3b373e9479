// Readiness: decides if a process should receive work.

import { type Clock, clockFault, systemClock } from "./clock.ts";
import { gauge } from "./telemetry/metrics.ts";

/** Rejects while the part is unavailable. */
export type Check = () => Promise<void>;

/** Timeout of a check: longer than a pool's timeout, so that an exhausted pool reports itself. */
const checkTimeoutMs = 3_000;
const partTimeoutMs = 500;
const metricTimeoutMs = 1_500;

const observeReady = gauge({ name: "ems_ready", help: "1 while the process is ready to receive work.", labels: [] });

const observeDegraded = gauge({
  name: "ems_degraded",
  help: "1 while the process works without an optional part.",
  labels: ["part"],
});

const observeClockSkew = gauge({
  name: "ems_clock_skew_seconds",
  help: "Seconds by which the process's clock is ahead of PostgreSQL's; negative when behind.",
  labels: [],
});

export class Health {
  /** Last reason for not being ready that was logged. */
  reportedReason: string | undefined;
  #draining = false;
  readonly #check: Check;
  readonly #clock: Clock;
  readonly #parts: Readonly<Record<string, Check>>;

  /** `check` is the readiness check; `parts` are optional, such as `{ nats: () => bus.check() }`. */
  constructor(check: Check, parts: Readonly<Record<string, Check>> = {}, clock: Clock = systemClock) {
    this.#check = check;
    this.#parts = parts;
    this.#clock = clock;
    observeClockSkew(async () => [{ labels: {}, value: Math.round(clock.skewMs ?? 0) / 1_000 }]);
    observeReady(async () => [
      { labels: {}, value: (await this.notReadyReason(metricTimeoutMs)) === undefined ? 1 : 0 },
    ]);
    if (Object.keys(parts).length === 0) return;
    observeDegraded(async () => {
      const missing = await this.missingParts();
      return Object.keys(parts).map((part) => ({ labels: { part }, value: missing.includes(part) ? 1 : 0 }));
    });
  }

  drain(): void {
    this.#draining = true;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Returns the reason why the process is not ready; undefined if it is ready. */
  async notReadyReason(timeoutMs = checkTimeoutMs): Promise<unknown> {
    if (this.#draining) return new Error("shutting down");
    const timedOut = new Promise<Error>((resolve) => {
      setTimeout(resolve, timeoutMs, new Error(`no answer within ${timeoutMs} ms`)).unref();
    });
    const checked = this.#check().then(
      () => this.#clockFault(),
      (reason: unknown) => reason ?? new Error("not ready"),
    );
    return Promise.race([checked, timedOut]);
  }

  /** Reads the clock's state after the check, which compares the clock. */
  #clockFault(): Error | undefined {
    const fault = clockFault(this.#clock);
    return fault === undefined ? undefined : new Error(fault);
  }

  async missingParts(): Promise<string[]> {
    const timedOut = new Promise<boolean>((resolve) => setTimeout(resolve, partTimeoutMs, false).unref());
    const checked = Object.entries(this.#parts).map(async ([name, check]) => {
      const isThere = check().then(
        () => true,
        () => false,
      );
      return { name, isThere: await Promise.race([isThere, timedOut]) };
    });
    return (await Promise.all(checked)).filter(({ isThere }) => !isThere).map(({ name }) => name);
  }
}

const pollMs = 1_000;

/**
 * Calls `listener` with the readiness, at once and then every second. Resolves after the first call with a function
 * that stops it; the result of a check in progress is then ignored.
 */
export async function pollReadiness(health: Health, listener: (isReady: boolean) => void): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const poll = async () => {
    const isReady = (await health.notReadyReason()) === undefined;
    if (isStopped) return;
    listener(isReady);
    timer = setTimeout(poll, pollMs);
  };
  await poll();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
