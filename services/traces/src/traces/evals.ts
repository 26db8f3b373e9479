import { create, type JsonObject } from "@bufbuild/protobuf";
import { buildArchivedSelectList } from "@ems/archive";
import { buildSelectList } from "@ems/kit/db/columns";
import { writeJson } from "@ems/kit/json/write";
import type { Call } from "@ems/kit/rpc/call";
import { EvaluationSchema } from "@ems/proto/experiments/v1/evaluation";
import { EvaluationEntity, type EvaluationRow, evaluation, loadReferences } from "@ems/results";
import type { Deps } from "../deps.ts";
import type { TraceRow } from "./entity.ts";
import type { AnsweredTrace } from "./messages.ts";

const ofTests = `SELECT ${buildSelectList(EvaluationEntity, "e")} FROM traces.evaluation_v1 e
  WHERE e.application_id = $1 AND e.test_id = ANY ($2::uuid[]) AND e.replaced_by IS NULL ORDER BY e.id`;
const testsById = "SELECT t.id FROM traces.test_v1 t WHERE t.application_id = $1 AND t.id = ANY ($2::uuid[])";
const archivedOfTests = `SELECT ${buildArchivedSelectList(EvaluationEntity, "e")} FROM evaluation e
  WHERE e.test_id IN {ids:Array(UUID)} AND e.replaced_by IS NULL ORDER BY toString(e.id)`;

/** Adds the evaluations of the traces' tests before the evaluations that were sent with the traces. */
export async function withEvals(
  deps: Pick<Deps, "stores" | "references">,
  call: Call,
  rows: readonly TraceRow[],
): Promise<AnsweredTrace[]> {
  const testIds = new Set(rows.flatMap(({ testId }) => testId ?? []));
  const evaluations = await readEvaluations(deps, call, [...testIds]);
  const loaded = await loadReferences(
    deps.references,
    call,
    evaluations.map(({ definitionId }) => definitionId),
  );
  const byTest = Map.groupBy(evaluations, ({ testId }) => testId);
  return rows.map((row) => {
    const ofTest: JsonObject[] = (byTest.get(row.testId ?? "") ?? []).map((result) =>
      writeJson(EvaluationSchema, create(EvaluationSchema, evaluation(result, loaded, row.id))),
    );
    if (ofTest.length === 0) return row;
    const ids = new Set(ofTest.map(({ id }) => id));
    return { ...row, evals: [...ofTest, ...(row.evals ?? []).filter(({ id }) => !ids.has(id ?? null))] };
  });
}

/** Reads the current evaluations of tests, ordered by id. */
async function readEvaluations(
  { stores }: Pick<Deps, "stores">,
  call: Call,
  testIds: readonly string[],
): Promise<EvaluationRow[]> {
  if (testIds.length === 0) return [];
  const values = [call.tenant.applicationId, testIds];
  const statements = [
    { name: "evaluations-of-tests", text: ofTests, values },
    ...(stores.hasArchive ? [{ name: "tests-by-id", text: testsById, values }] : []),
  ];
  const { found, archivedRanges } = await stores.read(call, ["results"], statements);
  const own = (found[0] ?? []) as EvaluationRow[];
  const present = new Set((found[1] ?? []).map(({ id }) => String(id)));
  const missing = stores.hasArchive ? testIds.filter((id) => !present.has(id)) : [];
  if (missing.length === 0) return own;
  const query = {
    kind: "results",
    table: "evaluation",
    entity: EvaluationEntity,
    text: archivedOfTests,
    parameters: { ids: missing },
  } as const;
  return [...own, ...(await stores.rows(call, query, archivedRanges))];
}
