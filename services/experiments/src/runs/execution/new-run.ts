import type { Transaction } from "@ems/kit/db/transaction";
import { invalidField, notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { TestPlan } from "@ems/proto/catalog/v1/test_plan_service";
import { runExpectedBytesMax, runTestsMax, sizeText } from "@ems/proto/limits";
import type { Deps } from "../../deps.ts";
import { testedVariant } from "../../experiments/experiments/index.ts";
import { RunEntity, type RunLabels, type RunRow } from "../runs/index.ts";
import { addMonths } from "../tests/index.ts";
import { promptRequested } from "./events.ts";
import { insertPlannedTests } from "./insert-planned-tests.ts";
import { countExpectedBytes, countTests, type PlanOptions, planTests } from "./plan-tests.ts";
import { readPlans } from "./read-plans.ts";
import { requestPrompts } from "./request-prompts.ts";

export interface RunToStart extends Pick<RunRow, "id" | "type" | "experimentVariantId">, RunLabels {
  readonly taskIds: readonly string[];
  readonly repeat: number;
  readonly simulate: boolean;
  readonly definitionIds: readonly string[];
}

export interface Plan extends PlanOptions {
  readonly plans: readonly TestPlan[];
}

/** Plans the tests of a run. Call before the transaction: it reads catalog. `field` is the request field with tasks. */
export async function planRun(
  deps: Pick<Deps, "plans" | "references">,
  call: Call,
  { taskIds, repeat, simulate, definitionIds }: Omit<RunToStart, "id">,
  field = "task_ids",
): Promise<Plan> {
  const ids = distinctIds(taskIds);
  const chosen = distinctIds(definitionIds);
  const definitions = await readTypes(deps, call, chosen);
  const options = { repeat, simulate, definitions };
  const found = await readPlans(deps, call, ids, expectationsWithin(options, field));
  const plans = ids.map((id) => {
    const plan = found.get(id);
    if (plan === undefined) throw notFound("Task");
    return plan;
  });
  const archived = ids.findIndex((id) => found.get(id)?.isArchived === true);
  if (archived >= 0)
    throw invalidField([field, taskIds.findIndex((id) => id.toLowerCase() === ids[archived])], "The task is archived");
  return countedPlan({ plans, ...options }, field);
}

/** Like `planRun`, for frozen tasks, which may be archived. */
export function planFrozen(
  { repeat, simulate }: Pick<RunToStart, "repeat" | "simulate">,
  plans: readonly TestPlan[],
  field = "task_ids",
): Plan {
  const options = { repeat, simulate, definitions: new Map() };
  const check = expectationsWithin(options, field);
  for (const plan of plans) check(plan);
  return countedPlan({ plans, ...options }, field);
}

function countedPlan(plan: Plan, field: string): Plan {
  const count = countTests(plan.plans, plan);
  if (count > runTestsMax) {
    const message = `A run has at most ${runTestsMax.toLocaleString("en")} tests, this one would have ${count.toLocaleString("en")}`;
    throw invalidField([field], message);
  }
  if (count === 0) throw invalidField([field], "The tasks have no input examples");
  return plan;
}

/** Returns a check that throws if the expectations of all tests together exceed the limit. */
function expectationsWithin(options: PlanOptions, field: string): (plan: TestPlan) => void {
  let bytes = 0;
  return (plan) => {
    bytes += countExpectedBytes(plan, options);
    if (bytes <= runExpectedBytesMax) return;
    const message = `The tests' expected answers exceed ${sizeText(runExpectedBytesMax)} in total: start fewer tests at a time`;
    throw invalidField([field], message);
  };
}

async function readTypes({ references }: Pick<Deps, "references">, call: Call, definitionIds: readonly string[]) {
  if (definitionIds.length === 0) return new Map();
  const found = await references.checkReferences({ definitionIds: [...definitionIds] }, forward(call));
  if (found.missingDefinitionIds.length > 0) throw notFound("Evaluation definition");
  return new Map(found.definitions.map(({ id, type }) => [id, type]));
}

/**
 * Creates the run with its tests and requests their prompts; returns the number of tests. Does not change a run that
 * exists.
 */
export async function insertRun(
  deps: Pick<Deps, "newId" | "clock" | "publishAll">,
  tx: Transaction,
  { tenant: { applicationId, orgId } }: Call,
  run: RunToStart,
  plan: Plan,
): Promise<number> {
  const now = deps.clock.now();
  addMonths(tx, [now]);
  const { id, type, title, experimentVariantId, version, commit, notes } = run;
  const row: RunRow = {
    applicationId,
    orgId,
    id,
    type,
    title,
    name: title ?? "",
    version,
    commit,
    notes,
    experimentVariantId,
    createdAt: now,
    modifiedAt: now,
    status: "IN_PROGRESS",
  };
  const [created] = await tx.insertReturning(RunEntity, [row], ["id"], "ignore");
  if (created === undefined) return storedCount(tx, applicationId, id);
  const tests = planTests(plan.plans, plan, deps.newId);
  const isOfVariant = (await testedVariant(tx, applicationId, run)) !== undefined;
  const queued = isOfVariant ? tests.map((test) => ({ ...test, queued: { metadata: test.metadata ?? null } })) : tests;
  await insertPlannedTests(deps, tx, { applicationId, orgId }, now, run, queued);
  if (isOfVariant) {
    await requestPrompts(deps, tx, { applicationId, orgId }, now, [run]);
    return tests.length;
  }
  const prompts = tests.flatMap((test) =>
    test.prompt === null ? [] : [promptRequested(test.id, test.prompt, test.metadata, undefined)],
  );
  await deps.publishAll(tx, { applicationId, orgId }, prompts);
  return tests.length;
}

async function storedCount(tx: Transaction, applicationId: string, id: string): Promise<number> {
  const [row] = await tx.query<{ tests: number }>(
    "SELECT tests::float8 FROM experiments.run_stat WHERE application_id = $1 AND run_id = $2",
    [applicationId, id],
  );
  return row?.tests ?? 0;
}

/** Returns the labels of a request that starts a run. */
export function toLabels(request: {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly commit?: string | undefined;
  readonly notes?: string | undefined;
}): RunLabels {
  const { name, version, commit, notes } = request;
  return { title: name ?? null, version: version ?? null, commit: commit ?? null, notes: notes ?? null };
}
