import { create } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { distinctIds } from "@ems/kit/id";
import { type Call, forward } from "@ems/kit/rpc/call";
import { type EvalDefinition, EvalDefinitionSchema, EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import type { ReferenceService, TaskSummary } from "@ems/proto/catalog/v1/reference_service";
import type { EvaluationRow } from "./entity.ts";

type ReferenceClient = Pick<Client<typeof ReferenceService>, "batchGetReferences">;

/** Catalog's resources that results refer to, by id. */
export interface References {
  readonly definitions: ReadonlyMap<string, EvalDefinition>;
  readonly tasks: ReadonlyMap<string, TaskSummary>;
}

/** Loads the references with one call, whatever the number of ids. */
export async function loadReferences(
  references: ReferenceClient,
  call: Call,
  definitionIds: readonly string[],
  taskIds: readonly string[] = [],
): Promise<References> {
  const ids = { definitionIds: distinctIds(definitionIds), taskIds: distinctIds(taskIds) };
  if (ids.definitionIds.length + ids.taskIds.length === 0) return { definitions: new Map(), tasks: new Map() };
  const { definitions, tasks } = await references.batchGetReferences(ids, forward(call));
  return {
    definitions: new Map(definitions.map((definition) => [definition.id, definition])),
    tasks: new Map(tasks.map((task) => [task.id, task])),
  };
}

/** Returns the definition, or its recorded type if catalog no longer has it. */
export function getDefinition(
  { definitions }: References,
  row: Pick<EvaluationRow, "definitionId" | "definitionType">,
) {
  const { definitionId: id, definitionType } = row;
  return definitions.get(id) ?? create(EvalDefinitionSchema, { id, type: EvalDefinitionType[definitionType] });
}
