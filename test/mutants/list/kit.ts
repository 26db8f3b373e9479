import type { Rule } from "./rule.ts";

const db = "services/kit/src/db";

export const kit: readonly Rule[] = [
  {
    file: `${db}/queue/statements.ts`,
    before: "= v.token`",
    after: "IS NOT NULL AND v.token IS NOT NULL`",
    breaks: "A worker that lost its lease ends, parks or overwrites another worker's job.",
    tests: [`${db}/queue/define-queue.test.ts`],
  },
  {
    file: `${db}/queue/statements.ts`,
    before: "WHERE j.token = held.token",
    after: "WHERE held.token IS NOT NULL",
    breaks: "A lost lease is renewed.",
    tests: [`${db}/queue/define-queue.test.ts`],
  },
  {
    file: `${db}/queue/statements.ts`,
    before: "lease === due ? isDue",
    after: "lease !== undefined ? isDue",
    breaks: "Two processes do the same job at once, such as the run of one schedule.",
    tests: [`${db}/queue/define-queue.test.ts`, "services/evaluation/src/queues.test.ts"],
  },
  {
    file: `${db}/queue/statements.ts`,
    before: "<= coalesce($1::timestamptz, now())`",
    after: "IS DISTINCT FROM $1::timestamptz`",
    breaks: "Two processes erase the same rows, or index the same steps, at once.",
    tests: ["services/experiments/src/queues.test.ts"],
  },
  {
    file: `${db}/idempotency.ts`,
    before: "if (lock?.held !== true)",
    after: "if (lock === undefined)",
    breaks: "Two equal requests run at once.",
    tests: [`${db}/idempotency.test.ts`],
  },
  {
    file: `${db}/idempotency.ts`,
    before: "interval '24 hours'",
    after: "interval '24 days'",
    breaks: "An idempotency key lasts longer than the promised 24 hours.",
    tests: [`${db}/idempotency.test.ts`],
  },
  {
    file: `${db}/idempotency.ts`,
    before: " AND (rpc, key) <> ($2, $3)",
    after: " AND $2 || $3 <> ''",
    breaks: "The sweep deletes the key of the running request.",
    tests: [`${db}/idempotency.test.ts`],
    reason:
      "PostgreSQL runs the INSERT before the unreferenced DELETE, which then skips a row that its own statement changed. " +
      "The documentation promises no order, so the condition stays; the test of a key used again after 24 hours covers it.",
  },
  {
    file: `${db}/connection.ts`,
    before: "client.release(isCanceled || !isIdle(client))",
    after: "client.release(!isIdle(client))",
    breaks: "A late cancellation ends the next tenant's statement.",
    tests: [`${db}/cancellation.test.ts`],
  },
  {
    file: `${db}/cancellation.ts`,
    before: "if (this.#canceled !== undefined) throw deadlineExceeded();",
    after: "",
    breaks: "A transaction commits after its cancellation, which the standby may not have.",
    tests: [`${db}/cancellation.test.ts`],
  },
  {
    file: "services/kit/src/background.ts",
    before: "if (signal.aborted || (this.#isWoken && mayBeWoken)) return;",
    after: "if (signal.aborted) return;",
    breaks: "Work that came during a run waits for the next poll.",
    tests: ["services/kit/src/background.test.ts"],
  },
  {
    file: "services/kit/src/events/relay.ts",
    before: "WHEN o.locked_until = m.locked_until THEN now()",
    after: "WHEN m.locked_until IS NOT NULL THEN now()",
    breaks: "A relay that fails late ends the lease of another relay.",
    tests: ["services/kit/src/events/relay-queue.test.ts"],
  },
  {
    file: "services/kit/src/retention/retention.ts",
    before: "AND leased_until < now() AND cleared_before",
    after: "AND cleared_before",
    breaks: "Two processes delete a kind at once.",
    tests: ["services/kit/src/retention/retention.test.ts"],
  },
];
