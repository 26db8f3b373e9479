import type { Transaction } from "@ems/kit/db/transaction";
import { distinctIds } from "@ems/kit/id";
import { dateOf } from "@ems/kit/json/timestamp";
import type { Redactor } from "@ems/kit/redaction";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { Tenant } from "@ems/kit/tenant";
import type {
  ExecutionService,
  PromptAccepted,
  RecordPromptOutcomeRequest,
} from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../../deps.ts";
import { storeAnswer } from "../../traces/ingest/index.ts";
import type { TestRow } from "../tests/index.ts";
import type { ExecutionRow } from "./entity.ts";
import { failTests } from "./fail-tests.ts";
import { type LockedTests, lockTests } from "./lock-tests.ts";
import { requestPrompts } from "./request-prompts.ts";
import { SharedTransactions } from "./shared-transactions.ts";
import { writeChanges } from "./write-changes.ts";

type Handler = Handlers<typeof ExecutionService>["recordPromptOutcome"];
type OutcomeDeps = Pick<
  Deps,
  "database" | "stores" | "clock" | "publishAll" | "newId" | "priceOf" | "settling" | "traceTimeoutMs" | "redactors"
>;

// From the acceptance on, within what the database's clock allows (the deadline of the delivery was a day after the request):
// a clock that jumps ends no test, and keeps none open.
const awaitTraces = `UPDATE experiments.test_execution x SET state = 'trace', due_at = interval '1 ms' * coalesce(
    (SELECT s.test_timeout_ms FROM experiments.execution_setting s WHERE s.application_id = $1), $2)
    + least(now(), greatest(x.due_at - interval '1 day', coalesce(accepted.at, now())))
  FROM unnest($3::uuid[], $4::timestamptz[]) AS accepted(test_id, at)
  WHERE x.application_id = $1 AND x.test_id = accepted.test_id`;
const waiting = `SELECT t.prompt FROM experiments.test_execution x
  JOIN experiments.test t ON t.application_id = x.application_id AND t.id = x.test_id AND t.created_at = x.created_at
  WHERE x.application_id = $1 AND x.test_id = $2 AND x.state = 'delivery'`;

/** The test went on while its answer was being stored: without a test that waits for it, no trace is to be left. */
class Overtaken extends Error {}

/**
 * Goes on with a test whose prompt was delivered, or ends it. Only a test that waits for the delivery changes. Those of an
 * application that wait for the same lock share a transaction, but for those with an answer: its trace is locked first.
 */
export function recordPromptOutcome(deps: OutcomeDeps): Handler {
  const shared = new SharedTransactions<Outcome>((outcomes) => goOnTogether(deps, outcomes));
  return async (request, call) => {
    const { outcome } = request;
    const hasAnswer = outcome.case === "accepted" && outcome.value.answer !== undefined;
    if (!hasAnswer && call.idempotency === undefined) {
      await shared.add(call.tenant.applicationId, { request, call });
      return {};
    }
    const redactor = await deps.redactors.of(call);
    const record = () => deps.database.change(call, (tx) => goOn(deps, tx, call, request, redactor));
    try {
      return await record();
    } catch (error) {
      if (error instanceof Overtaken) return record();
      throw error;
    }
  };
}

interface Outcome {
  readonly request: RecordPromptOutcomeRequest;
  readonly call: Call;
}

/** Outcomes of one application, in the order of their arrival: of several of a test the first counts. */
async function goOnTogether(deps: OutcomeDeps, outcomes: readonly Outcome[]): Promise<void> {
  const [first] = outcomes;
  if (first === undefined) return;
  const { tenant } = first.call;
  const deadlineMs = Math.max(...outcomes.map(({ call }) => call.deadlineMs));
  const requests = outcomes.map(({ request }) => request);
  await deps.database.withScope(tenant, deadlineMs, async (tx) => {
    const ids = distinctIds(requests.map(({ testId }) => testId));
    const locked = await lockTests(tx, tenant.applicationId, ids);
    await change(deps, tx, tenant, deps.clock.now(), locked, requests);
  });
}

async function goOn(
  deps: OutcomeDeps,
  tx: Transaction,
  call: Call,
  request: RecordPromptOutcomeRequest,
  redactor: Redactor | undefined,
): Promise<Record<string, never>> {
  const testId = request.testId.toLowerCase();
  const now = deps.clock.now();
  const hasAnswer = await storeAnswerIn(deps, tx, call, now, request, redactor);
  const locked = await lockTests(tx, call.tenant.applicationId, [testId]);
  if (!isWaiting(locked, testId)) {
    if (hasAnswer) throw new Overtaken();
    return {};
  }
  await change(deps, tx, call.tenant, now, locked, [request], hasAnswer);
  return {};
}

function isWaiting({ tests, executions }: LockedTests, testId: string): boolean {
  return tests.has(testId) && executions.get(testId)?.state === ("delivery" satisfies ExecutionRow["state"]);
}

/** Changes the locked tests that wait for their delivery. */
async function change(
  deps: OutcomeDeps,
  tx: Transaction,
  tenant: Tenant,
  now: Date,
  locked: LockedTests,
  requests: readonly RecordPromptOutcomeRequest[],
  hasAnswer = false,
): Promise<void> {
  const reasons = new Map<string, string>();
  const accepted = new Map<string, { test: TestRow; at: Date | null }>();
  for (const { testId: id, outcome } of requests) {
    const testId = id.toLowerCase();
    const test = locked.tests.get(testId);
    if (test === undefined || !isWaiting(locked, testId) || reasons.has(testId) || accepted.has(testId)) continue;
    if (outcome.case === "failed") {
      reasons.set(testId, `prompt_failed: ${outcome.value.reason}`);
      continue;
    }
    const { durationMs: answeredMs, acceptedAt } = outcome.value ?? {};
    const durationMs = hasAnswer ? (answeredMs ?? null) : test.durationMs;
    const at = acceptedAt === undefined ? null : dateOf(acceptedAt);
    accepted.set(testId, { test: { ...test, status: "IN_PROGRESS", waitingFor: "trace", durationMs }, at });
  }
  const waiting = [...accepted.values()];
  await writeChanges(
    deps,
    tx,
    tenant,
    now,
    locked,
    waiting.map(({ test }) => ({ test, evaluations: [], changed: [] })),
  );
  if (waiting.length > 0) {
    const [ids, times] = [waiting.map(({ test }) => test.id), waiting.map(({ at }) => at)];
    const values = [tenant.applicationId, deps.traceTimeoutMs, ids, times];
    tx.defer({ name: "await-traces", text: awaitTraces, values });
  }
  // Last: it may end their run.
  if (reasons.size > 0) await failTests(deps, tx, tenant, now, locked, reasons);
  await requestPrompts(deps, tx, tenant, now, locked.runs.values());
}

/** Before the test is locked, since traces are locked first. Answers whether there is one. */
async function storeAnswerIn(
  deps: OutcomeDeps,
  tx: Transaction,
  { tenant }: Call,
  now: Date,
  { testId, outcome }: RecordPromptOutcomeRequest,
  redactor: Redactor | undefined,
): Promise<boolean> {
  const accepted: PromptAccepted | undefined = outcome.case === "accepted" ? outcome.value : undefined;
  if (accepted?.answer === undefined) return false;
  const values = [tenant.applicationId, testId];
  const [test] = await tx.query<Pick<TestRow, "prompt">>({ name: "delivered-test", text: waiting, values });
  if (test === undefined) return false;
  const answeredAt = accepted.acceptedAt === undefined ? now : dateOf(accepted.acceptedAt);
  const { answer: body, durationMs } = accepted;
  return storeAnswer(deps, tx, tenant, now, redactor, {
    testId: testId.toLowerCase(),
    body,
    prompt: test.prompt,
    answeredAt,
    durationMs,
  });
}
