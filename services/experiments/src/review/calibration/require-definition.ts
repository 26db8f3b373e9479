import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { EvalDefinition } from "@ems/proto/catalog/v1/eval_definition";
import { loadReferences } from "@ems/results";
import type { Deps } from "../../deps.ts";

/** Returns the application's definition, or throws "not found". */
export async function requireDefinition(
  references: Deps["references"],
  call: Call,
  id: string,
): Promise<EvalDefinition> {
  const { definitions } = await loadReferences(references, call, [id]);
  const [definition] = definitions.values();
  if (definition === undefined) throw notFound("Evaluation definition");
  return definition;
}
