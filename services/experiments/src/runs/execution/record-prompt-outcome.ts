import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Transaction } from "@ems/kit/db/transaction";
import { distinctIds } from "@ems/kit/id";
import { toValue } from "@ems/kit/json/free-value";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { Tenant } from "@ems/kit/tenant";
import type {
  ExecutionService,
  PromptAccepted,
  RecordPromptOutcomeRequest,
} from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../../deps.ts";
import type { TestRow } from "../tests/index.ts";
import type { ExecutionRow } from "./entity.ts";
import { failTests } from "./fail-tests.ts";
import { type LockedTests, lockTests } from "./lock-tests.ts";
import { requestPrompts } from "./request-prompts.ts";
import { SharedTransactions } from "./shared-transactions.ts";
import { writeChanges } from "./write-changes.ts";

type Handler = Handlers<typeof ExecutionService>["recordPromptOutcome"];
type OutcomeDeps = Pick<Deps, "database" | "clock" | "publishAll" | "newId" | "traceTimeoutMs" | "traceWork">;

// The deadline counts from the acceptance. The acceptance is limited to the time between the request (a day before the
// delivery deadline) and now by the database's clock, so that a clock jump neither ends a test nor keeps it open.
const awaitTraces = `UPDATE experiments.test_execution x SET state = 'trace', due_at = interval '1 ms' * coalesce(
    (SELECT s.test_timeout_ms FROM experiments.execution_setting s WHERE s.application_id = $1), $2)
    + least(now(), greatest(x.due_at - interval '1 day', coalesce(accepted.at, now())))
  FROM unnest($3::uuid[], $4::timestamptz[]) AS accepted(test_id, at)
  WHERE x.application_id = $1 AND x.test_id = accepted.test_id`;
const waiting = `SELECT t.prompt FROM experiments.test_execution x
  JOIN experiments.test t ON t.application_id = x.application_id AND t.id = x.test_id AND t.created_at = x.created_at
  WHERE x.application_id = $1 AND x.test_id = $2 AND x.state = 'delivery'`;

/**
 * Continues a test whose prompt was delivered, or ends it. Changes only tests that wait for the delivery. Outcomes of
 * one application that wait for the same lock share a transaction. The answer is stored first, so that its trace closes
 * the test even if the outcome is reported repeatedly.
 */
export function recordPromptOutcome(deps: OutcomeDeps): Handler {
  const shared = new SharedTransactions<Outcome>((outcomes) => goOnTogether(deps, outcomes));
  return async (request, call) => {
    await storeAnswer(deps, call, request);
    if (call.idempotency === undefined) {
      await shared.add(call.tenant.applicationId, { request, call });
      return {};
    }
    return deps.database.change(call, async (tx) => {
      await goOn(deps, tx, call.tenant, [request]);
      return {};
    });
  };
}

interface Outcome {
  readonly request: RecordPromptOutcomeRequest;
  readonly call: Call;
}

/** Processes outcomes of one application in order of arrival; only the first outcome of a test counts. */
async function goOnTogether(deps: OutcomeDeps, outcomes: readonly Outcome[]): Promise<void> {
  const [first] = outcomes;
  if (first === undefined) return;
  const { tenant } = first.call;
  const deadlineMs = Math.max(...outcomes.map(({ call }) => call.deadlineMs));
  await deps.database.withScope(tenant, deadlineMs, (tx) =>
    goOn(
      deps,
      tx,
      tenant,
      outcomes.map(({ request }) => request),
    ),
  );
}

async function goOn(
  deps: OutcomeDeps,
  tx: Transaction,
  tenant: Tenant,
  requests: readonly RecordPromptOutcomeRequest[],
): Promise<void> {
  const ids = distinctIds(requests.map(({ testId }) => testId));
  const locked = await lockTests(tx, tenant.applicationId, ids);
  await change(deps, tx, tenant, deps.clock.now(), locked, requests);
}

function isWaiting({ tests, executions }: LockedTests, testId: string): boolean {
  return tests.has(testId) && executions.get(testId)?.state === ("delivery" satisfies ExecutionRow["state"]);
}

/** Updates those locked tests that wait for their delivery. */
async function change(
  deps: OutcomeDeps,
  tx: Transaction,
  tenant: Tenant,
  now: Date,
  locked: LockedTests,
  requests: readonly RecordPromptOutcomeRequest[],
): Promise<void> {
  const reasons = new Map<string, string>();
  const accepted = new Map<string, { test: TestRow; at: Date | null }>();
  for (const { testId: id, outcome } of requests) {
    const testId = id.toLowerCase();
    const test = locked.tests.get(testId);
    if (test === undefined || !isWaiting(locked, testId) || reasons.has(testId) || accepted.has(testId)) continue;
    if (outcome.case === "failed") {
      const { reason, hasNoWebhook } = outcome.value;
      reasons.set(testId, `${hasNoWebhook ? "no_webhook" : "prompt_failed"}: ${reason}`);
      continue;
    }
    const { acceptedAt } = outcome.value ?? {};
    const at = acceptedAt === undefined ? null : dateFromTimestamp(acceptedAt);
    accepted.set(testId, { test: { ...test, status: "IN_PROGRESS", waitingFor: "trace" }, at });
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
  // Must come last, because it may end the tests' run.
  if (reasons.size > 0) await failTests(deps, tx, tenant, now, locked, reasons);
  await requestPrompts(deps, tx, tenant, now, locked.runs.values());
}

/** Stores the answer as a trace if the test waits for its delivery. */
async function storeAnswer(
  { database, clock, traceWork }: OutcomeDeps,
  call: Call,
  { testId, outcome }: RecordPromptOutcomeRequest,
): Promise<void> {
  const accepted: PromptAccepted | undefined = outcome.case === "accepted" ? outcome.value : undefined;
  if (accepted?.answer === undefined) return;
  const values = [call.tenant.applicationId, testId];
  const statement = { name: "delivered-test", text: waiting, values };
  const [test] = await database.read<Pick<TestRow, "prompt">>(call, statement);
  if (test === undefined) return;
  const { answer: body, durationMs, acceptedAt } = accepted;
  const answeredAt = acceptedAt ?? timestampFromDate(clock.now());
  const request = { testId, body, prompt: toValue(test.prompt), answeredAt, durationMs };
  await traceWork.storeAnswer(request, forward(call));
}
