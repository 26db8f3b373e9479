export interface Survivor {
  readonly file: string;
  readonly label: string;
  readonly reason: string;
}

/** Generated mutations that may survive, and why. */
export const survivors: readonly Survivor[] = [
  {
    file: "services/kit/src/db/binary-array.ts",
    label:
      "const header = [1, values.includes(null) ? 1 : 0, element.oid, values.length, 1]; | values.includes(null) → false",
    reason: "PostgreSQL checks that the flag is 0 or 1, and reads NULLs by their length of -1.",
  },
  {
    file: "services/kit/src/db/wait-for-database.ts",
    label:
      "if (performance.now() - startedMs + retryEveryMs > waitMs) throw error; | performance.now() - startedMs + retryEveryMs → (performance.now() - startedMs - retryEveryMs)",
    reason: "The wait ends two retries later.",
  },
  {
    file: "services/notifications/src/deliveries/worker/recorder.ts",
    label:
      "this.#failedWrites = unwritten.length === 0 ? 0 : this.#failedWrites + 1; | this.#failedWrites + 1 → (this.#failedWrites - 1)",
    reason:
      "A row that stays locked is written again without the bound of 1,000 tries; its lease has ended before that.",
  },
  {
    file: "services/evaluation/src/schedules/scheduler.ts",
    label: 'if (outcomes.includes(false)) return "failed"; | outcomes.includes(false) → true',
    reason: "Only the pause before the next look is longer, and never over 10 seconds.",
  },
];
