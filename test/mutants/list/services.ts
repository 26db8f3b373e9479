import type { Rule } from "./rule.ts";

const [catalog, evaluation, experiments] = [
  "services/catalog/src",
  "services/evaluation/src",
  "services/experiments/src",
];
const [notifications, reporting, gateway] = ["services/notifications/src", "services/reporting/src", "gateway/src"];

export const services: readonly Rule[] = [
  {
    file: `${evaluation}/model-connections/resume-if-over.ts`,
    before: "    lockConnections(tx, applicationId);\n",
    after: "",
    breaks: "A job misses a change of budgets that is being committed, and waits.",
    tests: [`${evaluation}/jobs/resume.test.ts`],
  },
  {
    file: `${evaluation}/schedules/scheduler.ts`,
    before: "WHEN next_run_at = $3 AND cron = $4",
    after: "WHEN $3::timestamptz IS NOT NULL AND cron = $4",
    breaks: "A process that comes back late sets back the next time of a schedule, or skips one.",
    tests: [`${evaluation}/queues.test.ts`, `${evaluation}/schedules/schedules.test.ts`],
  },
  {
    file: `${experiments}/document-tests/offers.ts`,
    before: " AND t.attempt = c.attempt",
    after: " AND c.attempt IS NOT NULL",
    breaks: "An old claim confirms a document test that was offered again.",
    tests: [`${experiments}/queues.test.ts`],
  },
  {
    file: `${notifications}/deliveries/worker/recorder.ts`,
    before: "d.status = 'PENDING' AND d.leased_until IS NOT DISTINCT FROM n.leased_until AS is_leased",
    after: "d.status = 'PENDING' AS is_leased",
    breaks: "A worker that lost its lease ends or postpones another worker's delivery.",
    tests: [`${notifications}/queues.test.ts`],
  },
  {
    file: `${notifications}/deliveries/worker/claim.ts`,
    before: "AND d.leased_until = leased.leased_until",
    after: "AND leased.leased_until IS NOT NULL",
    breaks: "A lost lease of a delivery is renewed.",
    tests: [`${notifications}/queues.test.ts`],
  },
  {
    file: `${gateway}/auth/failure-delay.ts`,
    before: "Math.min(this.#rate.waitMs(network, 0), this.#delayMaxMs)",
    after: "this.#rate.waitMs(network, 0)",
    breaks: "Failed authentications wait without an end.",
    tests: [`${gateway}/auth/failure-delay.test.ts`],
  },
  {
    file: `${gateway}/upstreams/call-upstream.ts`,
    before: " && this.#nowMs() - this.#firstFailureMs >= failureSpanMinMs",
    after: "",
    breaks: "A blip of one replica is an outage of its service.",
    tests: [`${gateway}/upstreams/circuit-breaker.test.ts`],
  },
  {
    file: `${gateway}/budget/budget.ts`,
    before: "    if (response.closed === true) throw canceled();\n",
    after: "",
    breaks: "Clients that disconnect while their key is looked up use up the places of arriving bodies.",
    tests: [`${gateway}/budget/budget.test.ts`],
  },
  {
    file: `${gateway}/budget/budget.ts`,
    before: "    if (response.closed === true) return body;\n",
    after: "",
    breaks: "Responses that nobody reads use up the application's unread bytes.",
    tests: [`${gateway}/budget/budget.test.ts`],
  },
  {
    file: `${gateway}/budget/budget.ts`,
    before: "    if (this.#isArriving) this.#limits.arriving.release(this.#caller.applicationId);\n",
    after: "",
    breaks: "Arrived bodies keep their places.",
    tests: [`${gateway}/budget/budget.test.ts`],
  },
  {
    file: `${gateway}/budget/rate-limits.ts`,
    before: "    consumeAll(limits, undefined, 0);\n",
    after: "",
    breaks: "A body is taken while its tenant is in debt.",
    tests: [`${gateway}/budget/rate-limits.test.ts`],
  },
  {
    file: `${catalog}/tasks/archive-tasks-of-topic.ts`,
    before: "archivedTask(row, definitionsOf(row.id))",
    after: 'archivedTask(row, definitionsOf(""))',
    breaks: "Events of a cascade lose their definitions.",
    tests: [`${catalog}/topics/archive-topic.test.ts`],
  },
  {
    file: `${catalog}/tasks/update-task.ts`,
    before: "topicId === undefined && status === undefined ?",
    after: "topicId === undefined ?",
    breaks: "A task that a person took over stays the one of live traffic.",
    tests: [`${catalog}/tasks/update-task.test.ts`],
  },
  {
    file: `${reporting}/query/predicates.ts`,
    before: "plan.includeArchived ? []",
    after: "plan.zone ? []",
    breaks: "Archived rows are counted in reports that leave them out.",
    tests: [`${reporting}/reports/query-report.test.ts`],
  },
  {
    file: `${reporting}/query/numbers.ts`,
    before: 'scaledUp % denominator === 0n ? "0" : "1"',
    after: '"0"',
    breaks: "The last bit of a mean is wrong.",
    tests: [`${reporting}/query/numbers.test.ts`],
  },
];
