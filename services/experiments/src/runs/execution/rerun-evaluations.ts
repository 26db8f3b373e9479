import { inArchive, type Stores } from "@ems/archive";
import { Parameters } from "@ems/kit/db/parameters";
import type { Transaction } from "@ems/kit/db/transaction";
import { enumNames } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { EvaluationStatusSchema } from "@ems/proto/experiments/v1/evaluation";
import type { EvaluationService, RerunEvaluationsRequest } from "@ems/proto/experiments/v1/evaluation_service";
import { ErrorCauseSchema } from "@ems/proto/experiments/v1/run";
import { rerunEvaluationsMax } from "@ems/proto/limits";
import type { Deps } from "../../deps.ts";
import { evaluationCauseSql } from "../outcomes/index.ts";
import { rerunTests } from "./rerun-tests.ts";

type Handler = Handlers<typeof EvaluationService>["rerunEvaluations"];

interface Candidate {
  readonly id: string;
  readonly testId: string;
}

/** Reruns evaluations by id, or the oldest ones that match a filter. Archived ones are only counted. */
export function rerunEvaluations(deps: Pick<Deps, "database" | "stores" | "clock" | "newId" | "publishAll">): Handler {
  return (request, call) =>
    deps.database.runExpensive(call, async () => {
      const archived = await countArchived(deps.stores, request, call);
      return deps.database.change(call, async (tx) => {
        const found = await select(tx, request, call);
        if (found.length === 0 && archived.count > 0 && request.ids.length > 0)
          throw inArchive(call, "The evaluation", archived.newest);
        const chosen = found.slice(0, rerunEvaluationsMax);
        const count = await rerunTests(deps, tx, call.tenant, chosen);
        const remaining = found.length <= rerunEvaluationsMax ? 0 : await countRemaining(tx, request, call);
        return { count: BigInt(count), remaining: BigInt(remaining), archived: BigInt(archived.count) };
      });
    });
}

const ended = ["COMPLETED", "FAILED", "SKIPPED"];

/** A filter by cause selects only the evaluations that have it. */
function selectedStatuses({ status, errorCause }: RerunEvaluationsRequest): readonly string[] {
  return enumNames(EvaluationStatusSchema, status) ?? (errorCause.length > 0 ? ["FAILED"] : ended);
}

/** Selects one row more than the limit, to detect whether evaluations remain. */
function select(tx: Transaction, request: RerunEvaluationsRequest, call: Call): Promise<Candidate[]> {
  const parameters = new Parameters();
  const text = `SELECT e.id, e.test_id AS "testId" ${matching(parameters, request, call)}
    ORDER BY e.created_at, e.id LIMIT ${rerunEvaluationsMax + 1}`;
  return tx.query<Candidate>({ text, values: parameters.values });
}

/** Counts the remaining matches; evaluations that were rerun no longer match. */
async function countRemaining(tx: Transaction, request: RerunEvaluationsRequest, call: Call): Promise<number> {
  const parameters = new Parameters();
  const text = `SELECT count(*)::float8 AS count ${matching(parameters, request, call)}`;
  const [row] = await tx.query<{ count: number }>({ text, values: parameters.values });
  return row?.count ?? 0;
}

// Finds an id, or a test of the run, that is missing from PostgreSQL; `run_stat` counts all tests.
const missing = `SELECT 1 FROM unnest($2::uuid[]) named (id) WHERE NOT EXISTS (
    SELECT FROM experiments.evaluation e WHERE e.application_id = $1 AND e.id = named.id)
  UNION ALL SELECT 1 FROM experiments.run_stat s WHERE s.application_id = $1 AND s.run_id = $3
    AND s.tests > (SELECT count(*) FROM experiments.test t WHERE t.application_id = $1 AND t.run_id = s.run_id)
  LIMIT 1`;
// Must have the same conditions as `matching`.
const archived = `FROM evaluation e WHERE e.replaced_by IS NULL AND e.status IN {statuses:Array(String)}
  AND (empty({ids:Array(UUID)}) OR e.id IN {ids:Array(UUID)})
  AND ({definition:Nullable(UUID)} IS NULL OR e.definition_id = {definition:Nullable(UUID)})
  AND ({run:Nullable(UUID)} IS NULL OR e.run_id = {run:Nullable(UUID)})
  AND (empty({causes:Array(String)}) OR ${evaluationCauseSql("e")} IN {causes:Array(String)})
  AND e.test_id IN (SELECT t.id FROM test t WHERE t.trace_id IS NOT NULL)`;
const counted = `SELECT toFloat64(count()) AS count, toFloat64(toUnixTimestamp64Milli(max(e.created_at))) AS newest ${archived}`;

interface Archived {
  readonly count: number;
  readonly newest: Date;
}

/** Counts matching evaluations that are archived, or whose trace is archived. */
async function countArchived(stores: Stores, request: RerunEvaluationsRequest, call: Call): Promise<Archived> {
  if (!stores.hasArchive) return { count: 0, newest: new Date(0) };
  const { ids, definitionId: definition = null, runId: run = null } = request;
  const parameters = new Parameters();
  const own = `SELECT count(*)::float8 AS count, max((SELECT d.created_at FROM experiments.archived_trace_v1 d
      WHERE d.application_id = e.application_id AND d.id = t.trace_id)) AS newest ${matching(parameters, request, call, "EXISTS")}`;
  const values = [call.tenant.applicationId, distinctIds(ids), ids.length === 0 ? run : null];
  const { found, archivedRanges } = await stores.read(
    call,
    ["results"],
    [
      { text: own, values: parameters.values },
      { text: missing, values },
    ],
  );
  const [ofTraces] = found[0] as { count: number; newest: Date | null }[];
  const isNamed = ids.length > 0 || run !== null;
  const of = { evaluation: archivedRanges.results, test: archivedRanges.results };
  const causes = enumNames(ErrorCauseSchema, request.errorCause) ?? [];
  const filter = { statuses: selectedStatuses(request), ids, definition, run, causes };
  const [results] =
    isNamed && found[1]?.length === 0
      ? []
      : await stores.query<{ count: number; newest: number }>(call, of, counted, filter);
  const newest = Math.max(results?.newest ?? 0, ofTraces?.newest?.getTime() ?? 0);
  return { count: (results?.count ?? 0) + (ofTraces?.count ?? 0), newest: new Date(newest) };
}

/** Selects evaluations whose closing trace is in PostgreSQL (judges read it there), or is archived. */
function matching(
  parameters: Parameters,
  request: RerunEvaluationsRequest,
  { tenant }: Call,
  inArchive: "EXISTS" | "NOT EXISTS" = "NOT EXISTS",
): string {
  const { ids, definitionId, runId } = request;
  const causes = enumNames(ErrorCauseSchema, request.errorCause);
  const application = parameters.add(tenant.applicationId);
  const statuses = selectedStatuses(request);
  const predicates = [
    `e.application_id = ${application} AND e.replaced_by IS NULL AND t.trace_id IS NOT NULL`,
    `${inArchive} (SELECT FROM experiments.archived_trace_v1 d WHERE d.application_id = ${application} AND d.id = t.trace_id)`,
    `e.status = ANY (${parameters.add(statuses)}::text[])`,
    ...(ids.length === 0 ? [] : [`e.id = ANY (${parameters.add(distinctIds(ids))}::uuid[])`]),
    ...(definitionId === undefined ? [] : [`e.definition_id = ${parameters.add(definitionId)}::uuid`]),
    ...(runId === undefined ? [] : [`t.run_id = ${parameters.add(runId)}::uuid`]),
    ...(causes === null ? [] : [`t.error_cause = ANY (${parameters.add(causes)}::text[])`]),
  ];
  return `FROM experiments.evaluation e JOIN experiments.test t
      ON t.application_id = e.application_id AND t.id = e.test_id AND t.created_at = e.created_at
    WHERE ${predicates.join(" AND ")}`;
}
