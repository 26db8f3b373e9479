import { Parameters } from "@ems/kit/db/parameters";
import type { Transaction } from "@ems/kit/db/transaction";
import { enumNames } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { EvaluationStatusSchema } from "@ems/proto/experiments/v1/evaluation";
import type { EvaluationService, RerunEvaluationsRequest } from "@ems/proto/experiments/v1/evaluation_service";
import { rerunEvaluationsMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { rerunTests } from "./rerun-tests.ts";

type Handler = Handlers<typeof EvaluationService>["rerunEvaluations"];

interface Candidate {
  readonly id: string;
  readonly testId: string;
}

/** Has evaluations made anew: the ids', or the oldest of the filter's. */
export function rerunEvaluations(
  deps: Pick<Deps, "database" | "stores" | "dropped" | "clock" | "newId" | "publishAll">,
): Handler {
  return (request, call) =>
    deps.database.runExpensive(call, async () => {
      const dropped = await bringBack(deps, request, call);
      return deps.database.change(call, async (tx) => {
        const found = await select(tx, request, call);
        const chosen = found.slice(0, rerunEvaluationsMax);
        const count = await rerunTests(deps, tx, call.tenant, chosen);
        const remaining = found.length <= rerunEvaluationsMax ? 0 : dropped + (await countOf(tx, request, call));
        return { count: BigInt(count), remaining: BigInt(remaining) };
      });
    });
}

const ended = ["COMPLETED", "FAILED", "SKIPPED"];

/** One more than are run again, if there are so many. */
function select(tx: Transaction, request: RerunEvaluationsRequest, call: Call): Promise<Candidate[]> {
  const parameters = new Parameters();
  const text = `SELECT e.id, e.test_id AS "testId" ${matching(parameters, request, call)}
    ORDER BY e.created_at, e.id LIMIT ${rerunEvaluationsMax + 1}`;
  return tx.query<Candidate>({ text, values: parameters.values });
}

/** What was run again matches no more. */
async function countOf(tx: Transaction, request: RerunEvaluationsRequest, call: Call): Promise<number> {
  const parameters = new Parameters();
  const text = `SELECT count(*)::float8 AS count ${matching(parameters, request, call)}`;
  const [row] = await tx.query<{ count: number }>({ text, values: parameters.values });
  return row?.count ?? 0;
}

// Whether an id, or a test of a run, is not there; the sums of runs know all tests.
const missing = `SELECT 1 FROM unnest($2::uuid[]) named (id) WHERE NOT EXISTS (
    SELECT FROM experiments.evaluation e WHERE e.application_id = $1 AND e.id = named.id)
  UNION ALL SELECT 1 FROM experiments.run_stat s WHERE s.application_id = $1 AND s.run_id = $3
    AND s.tests > (SELECT count(*) FROM experiments.test t WHERE t.application_id = $1 AND t.run_id = s.run_id)
  LIMIT 1`;
// As `matching`.
const archived = `FROM evaluation e WHERE e.replaced_by IS NULL AND e.status IN {statuses:Array(String)}
  AND (empty({ids:Array(UUID)}) OR e.id IN {ids:Array(UUID)})
  AND ({definition:Nullable(UUID)} IS NULL OR e.definition_id = {definition:Nullable(UUID)})
  AND ({run:Nullable(UUID)} IS NULL OR e.run_id = {run:Nullable(UUID)})
  AND e.test_id IN (SELECT t.id FROM test t WHERE t.trace_id IS NOT NULL)`;
const oldest = `SELECT e.id ${archived} ORDER BY e.created_at, toString(e.id) LIMIT ${rerunEvaluationsMax + 1}`;

/** Restores what is run again and was dropped, the oldest first. Answers how many that match are still dropped. */
async function bringBack(
  { stores, dropped }: Pick<Deps, "stores" | "dropped">,
  request: RerunEvaluationsRequest,
  call: Call,
): Promise<number> {
  if (!stores.hasArchive) return 0;
  const { ids, status, definitionId: definition = null, runId: run = null } = request;
  const values = [call.tenant.applicationId, distinctIds(ids), ids.length === 0 ? run : null];
  const isNamed = ids.length > 0 || run !== null;
  if (isNamed && (await stores.database.read(call, { text: missing, values })).length === 0) return 0;
  const parameters = { statuses: enumNames(EvaluationStatusSchema, status) ?? ended, ids, definition, run };
  const found = await stores.queryDropped<{ id: string }>(call, "results", oldest, parameters);
  const rows = found.map(({ id }) => id);
  await dropped.bringBack(call.tenant, async () => [["results", "evaluation", "id", rows]], call.signal);
  if (rows.length <= rerunEvaluationsMax) return 0;
  const counted = `SELECT toFloat64(count()) AS rows ${archived}`;
  const [left] = await stores.queryDropped<{ rows: number }>(call, "results", counted, parameters);
  return left?.rows ?? 0;
}

/** Judges read the trace that closed the test. */
function matching(parameters: Parameters, request: RerunEvaluationsRequest, { tenant }: Call): string {
  const { ids, status, definitionId, runId } = request;
  const application = parameters.add(tenant.applicationId);
  const statuses = enumNames(EvaluationStatusSchema, status) ?? ended;
  const predicates = [
    `e.application_id = ${application} AND e.replaced_by IS NULL AND t.trace_id IS NOT NULL`,
    `e.status = ANY (${parameters.add(statuses)}::text[])`,
    ...(ids.length === 0 ? [] : [`e.id = ANY (${parameters.add(distinctIds(ids))}::uuid[])`]),
    ...(definitionId === undefined ? [] : [`e.definition_id = ${parameters.add(definitionId)}::uuid`]),
    ...(runId === undefined ? [] : [`t.run_id = ${parameters.add(runId)}::uuid`]),
  ];
  return `FROM experiments.evaluation e JOIN experiments.test t
      ON t.application_id = e.application_id AND t.id = e.test_id AND t.created_at = e.created_at
    WHERE ${predicates.join(" AND ")}`;
}
