import type { Clock } from "@ems/kit/clock";
import type { NewId } from "@ems/kit/id";
import type { Caller } from "./clients.ts";
import { type Random, settableClock } from "./random.ts";

export interface Size {
  readonly topics: number;
  readonly tasksPerTopic: number;
  readonly tags: number;
  readonly traces: number;
  /** Number of tests in each weekly run. A test has up to five evaluations. */
  readonly testsPerWeek: number;
  /** Number of tests in each nightly run of the last five weeks. Their answers have traces. */
  readonly testsPerNight: number;
}

export const sizes = {
  small: { topics: 2, tasksPerTopic: 4, tags: 6, traces: 10, testsPerWeek: 4, testsPerNight: 1 },
  demo: { topics: 6, tasksPerTopic: 12, tags: 6, traces: 300, testsPerWeek: 40, testsPerNight: 14 },
  load: { topics: 300, tasksPerTopic: 100, tags: 2_000, traces: 10_000, testsPerWeek: 1_000, testsPerNight: 100 },
} as const satisfies Record<string, Size>;

/** Context for creating sample data. Its clock advances with each step. */
export interface Plan {
  readonly size: Size;
  readonly random: Random;
  readonly clock: Clock;
  readonly newId: NewId;
  /** End of the data, which begins 52 weeks earlier. */
  readonly until: Date;
  readonly caller: Caller;
  nextHour(): void;
  nextDay(): void;
  /** Sets the clock forward or back. */
  goTo(time: Date): void;
  /** Reports progress. */
  step(done: string): void;
}

const [hourMs, weekMs] = [3_600_000, 604_800_000];
export const weeks = 52;

/** Returns a clock that starts 52 weeks before `until`, and functions that advance it. */
export function yearUntil(until: Date, size: Size) {
  const [fromMs, toMs] = [until.getTime() - weeks * weekMs, until.getTime()];
  const clock = settableClock(new Date(fromMs));
  const steps = size.topics * (size.tasksPerTopic + 12) + size.traces + 60;
  // Choose the step so that data of any size spreads over the whole year.
  const stepMs = Math.max(1_000, Math.min(4 * hourMs, Math.floor((toMs - fromMs) / steps)));
  const forward = (times: number) => clock.moveTo(new Date(Math.min(toMs, clock.now().getTime() + times * stepMs)));
  return { clock, until, nextHour: () => forward(1), nextDay: () => forward(6), goTo: clock.moveTo };
}
