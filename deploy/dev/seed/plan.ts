import type { Clock } from "@ems/kit/clock";
import type { NewId } from "@ems/kit/id";
import type { Caller } from "./clients.ts";
import { type Random, settableClock } from "./random.ts";

export interface Size {
  readonly topics: number;
  readonly tasksPerTopic: number;
  readonly tags: number;
  readonly traces: number;
  /** Of the weekly run; each has up to five evaluations. */
  readonly testsPerWeek: number;
}

export const sizes = {
  small: { topics: 2, tasksPerTopic: 4, tags: 6, traces: 10, testsPerWeek: 4 },
  demo: { topics: 6, tasksPerTopic: 12, tags: 6, traces: 300, testsPerWeek: 40 },
  load: { topics: 300, tasksPerTopic: 100, tags: 2_000, traces: 10_000, testsPerWeek: 1_000 },
} as const satisfies Record<string, Size>;

/** What the seed is made with; its clock advances. */
export interface Plan {
  readonly size: Size;
  readonly random: Random;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly caller: Caller;
  nextHour(): void;
  nextDay(): void;
  /** Sets the clock, also back. */
  goTo(time: Date): void;
  /** Reports progress. */
  step(done: string): void;
}

const hourMs = 3_600_000;
/** Always this year, so that every seed makes the same data. */
const [fromMs, toMs] = [Date.parse("2025-11-01T08:00:00Z"), Date.parse("2026-10-31T18:00:00Z")];

/** A clock that starts with the year and stays within it, and its steps. */
export function yearOf(size: Size) {
  const clock = settableClock(new Date(fromMs));
  const steps = size.topics * (size.tasksPerTopic + 12) + size.traces + 60;
  // Spreads data of every size over the whole year.
  const stepMs = Math.max(1_000, Math.min(4 * hourMs, Math.floor((toMs - fromMs) / steps)));
  const forward = (times: number) => clock.moveTo(new Date(Math.min(toMs, clock.now().getTime() + times * stepMs)));
  return { clock, nextHour: () => forward(1), nextDay: () => forward(6), goTo: clock.moveTo };
}
