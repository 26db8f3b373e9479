import { create, type JsonObject } from "@bufbuild/protobuf";
import { writeJson } from "@ems/kit/json/write";
import type { Call } from "@ems/kit/rpc/call";
import { EvaluationSchema } from "@ems/proto/experiments/v1/evaluation";
import type { Deps } from "../../deps.ts";
import { evalsOfTests } from "../../runs/evaluations/index.ts";
import type { TraceRow } from "./entity.ts";
import type { AnsweredTrace } from "./messages.ts";

/** The traces with the evaluations of their tests before those that were given with them. */
export async function withEvals(
  deps: Pick<Deps, "stores" | "references">,
  call: Call,
  rows: readonly TraceRow[],
): Promise<AnsweredTrace[]> {
  const testIds = new Set(rows.flatMap(({ testId }) => testId ?? []));
  const byTest = await evalsOfTests(deps, call, [...testIds]);
  return rows.map((row) => {
    const evaluations = byTest.get(row.testId ?? "") ?? [];
    if (evaluations.length === 0) return row;
    const ofTest: JsonObject[] = evaluations.map((one) => writeJson(EvaluationSchema, create(EvaluationSchema, one)));
    const ids = new Set(ofTest.map(({ id }) => id));
    return { ...row, evals: [...ofTest, ...(row.evals ?? []).filter(({ id }) => !ids.has(id ?? null))] };
  });
}
