import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { EvalDefinition } from "@ems/proto/catalog/v1/eval_definition";
import { loadReferences } from "@ems/results";
import type { Deps } from "../../deps.ts";

const ofTrace = `SELECT DISTINCT h.definition_id AS id FROM experiments.human_annotation h
  WHERE h.application_id = $1 AND h.trace_id = $2 AND h.definition_id IS NOT NULL`;

/** Definition of an annotation, and names of all definitions that people judged the trace by. */
export interface Criteria {
  /** Undefined for the whole answer. */
  readonly own: EvalDefinition | undefined;
  readonly names: ReadonlyMap<string, string>;
}

/** Loads the criteria with one call to catalog. Throws if the annotation's definition does not exist. */
export async function loadCriteria(
  { database, references }: Pick<Deps, "database" | "references">,
  call: Call,
  traceId: string,
  definitionId: string | null,
): Promise<Criteria> {
  const values = [call.tenant.applicationId, traceId];
  const judged = await database.read<{ id: string }>(call, { name: "criteria-of-trace", text: ofTrace, values });
  const ids = judged.map(({ id }) => id);
  const { definitions } = await loadReferences(references, call, definitionId === null ? ids : [...ids, definitionId]);
  const own = definitions.get(definitionId ?? "");
  if (definitionId !== null && own === undefined) throw notFound("Evaluation definition");
  return { own, names: new Map([...definitions].map(([id, { name }]) => [id, name])) };
}
