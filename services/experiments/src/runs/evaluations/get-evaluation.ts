import { buildArchivedSelectList } from "@ems/archive";
import { rowById } from "@ems/kit/db/row-by-id";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { EvaluationEntity } from "@ems/results";
import type { Deps } from "../../deps.ts";
import { fullEvaluations } from "./queries.ts";

type Handler = Handlers<typeof EvaluationService>["getEvaluation"];

const evaluationById = rowById(EvaluationEntity, "Evaluation");

const archived = {
  kind: "results",
  table: "evaluation",
  entity: EvaluationEntity,
  text: `SELECT ${buildArchivedSelectList(EvaluationEntity, "e")} FROM evaluation e WHERE e.id = {id:UUID}`,
} as const;

/** Returns an evaluation of the caller's application. */
export function getEvaluation(deps: Pick<Deps, "stores" | "references">): Handler {
  return async ({ id }, call) => {
    const row = await deps.stores.find(call, {
      own: evaluationById.statement(call, id),
      archived: { ...archived, parameters: { id } },
    });
    if (row === undefined) throw notFound("Evaluation");
    const [data] = await fullEvaluations(deps, call, [row]);
    return { ...(data && { data }) };
  };
}
