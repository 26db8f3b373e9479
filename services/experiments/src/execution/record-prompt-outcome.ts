import type { Transaction } from "@ems/kit/db/transaction";
import { dateOf } from "@ems/kit/json/timestamp";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type {
  ExecutionService,
  PromptAccepted,
  RecordPromptOutcomeRequest,
} from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../deps.ts";
import { storeAnswer } from "../ingest/index.ts";
import type { TestRow } from "../tests/index.ts";
import type { ExecutionRow } from "./entity.ts";
import { failTests } from "./fail-tests.ts";
import { lockTests } from "./lock-tests.ts";
import { writeChanges } from "./write-changes.ts";

type Handler = Handlers<typeof ExecutionService>["recordPromptOutcome"];
type OutcomeDeps = Pick<
  Deps,
  "database" | "clock" | "publishAll" | "newId" | "priceOf" | "settling" | "traceTimeoutMs"
>;

// From the acceptance on, within what the database's clock allows (the deadline of the delivery was a day after the request):
// a clock that jumps ends no test, and keeps none open.
const awaitTrace = `UPDATE experiments.test_execution SET state = 'trace', due_at = interval '1 ms' * coalesce(
    (SELECT s.test_timeout_ms FROM experiments.execution_setting s WHERE s.application_id = $1), $3)
    + least(now(), greatest(due_at - interval '1 day', coalesce($4::timestamptz, now())))
  WHERE application_id = $1 AND test_id = $2`;
const waiting = `SELECT t.prompt FROM experiments.test_execution x
  JOIN experiments.test t ON t.application_id = x.application_id AND t.id = x.test_id AND t.created_at = x.created_at
  WHERE x.application_id = $1 AND x.test_id = $2 AND x.state = 'delivery'`;

/** The test went on while its answer was being stored: without a test that waits for it, no trace is to be left. */
class Overtaken extends Error {}

/** Goes on with a test whose prompt was delivered, or ends it. Only a test that waits for the delivery changes. */
export function recordPromptOutcome(deps: OutcomeDeps): Handler {
  return async (request, call) => {
    const record = () => deps.database.change(call, (tx) => goOn(deps, tx, call, request));
    try {
      return await record();
    } catch (error) {
      if (error instanceof Overtaken) return record();
      throw error;
    }
  };
}

async function goOn(
  deps: OutcomeDeps,
  tx: Transaction,
  call: Call,
  request: RecordPromptOutcomeRequest,
): Promise<Record<string, never>> {
  const testId = request.testId.toLowerCase();
  const now = deps.clock.now();
  const hasAnswer = await storeAnswerIn(deps, tx, call, now, request);
  const locked = await lockTests(tx, call.tenant.applicationId, [testId]);
  const test = locked.tests.get(testId);
  if (test === undefined || locked.executions.get(testId)?.state !== ("delivery" satisfies ExecutionRow["state"])) {
    if (hasAnswer) throw new Overtaken();
    return {};
  }
  if (request.outcome.case === "failed") {
    const reasons = new Map([[testId, `prompt_failed: ${request.outcome.value.reason}`]]);
    await failTests(deps, tx, call.tenant, now, locked, reasons);
    return {};
  }
  const { durationMs: answeredMs, acceptedAt } = request.outcome.value ?? {};
  const durationMs = hasAnswer ? (answeredMs ?? null) : test.durationMs;
  const accepted: TestRow = { ...test, status: "IN_PROGRESS", waitingFor: "trace", durationMs };
  await writeChanges(deps, tx, call.tenant, now, locked, [{ test: accepted, evaluations: [], changed: [] }]);
  const since = acceptedAt === undefined ? null : dateOf(acceptedAt);
  tx.defer({ name: "await-trace", text: awaitTrace, values: [test.applicationId, testId, deps.traceTimeoutMs, since] });
  return {};
}

/** Before the test is locked, since traces are locked first. Answers whether there is one. */
async function storeAnswerIn(
  deps: OutcomeDeps,
  tx: Transaction,
  { tenant }: Call,
  now: Date,
  { testId, outcome }: RecordPromptOutcomeRequest,
): Promise<boolean> {
  const accepted: PromptAccepted | undefined = outcome.case === "accepted" ? outcome.value : undefined;
  if (accepted?.answer === undefined) return false;
  const values = [tenant.applicationId, testId];
  const [test] = await tx.query<Pick<TestRow, "prompt">>({ name: "delivered-test", text: waiting, values });
  if (test === undefined) return false;
  const answeredAt = accepted.acceptedAt === undefined ? now : dateOf(accepted.acceptedAt);
  const { answer: body, durationMs } = accepted;
  return storeAnswer(deps, tx, tenant, now, {
    testId: testId.toLowerCase(),
    body,
    prompt: test.prompt,
    answeredAt,
    durationMs,
  });
}
