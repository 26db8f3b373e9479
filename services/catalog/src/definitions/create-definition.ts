import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { EvalDefinitionTypeSchema } from "@ems/proto/catalog/v1/eval_definition";
import type { Deps } from "../deps.ts";
import { requireReferences } from "../references/index.ts";
import { EvalDefinitionEntity, type EvalDefinitionRow } from "./entity.ts";
import { evalDefinition } from "./messages.ts";

type Handler = Handlers<typeof DefinitionService>["createDefinition"];

/** A new evaluation definition of the caller's application, linked to nothing yet. */
export function createDefinition({ database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">): Handler {
  return ({ type, name, globalConfig, styleGuideId }, call) => {
    const { applicationId, orgId } = call.tenant;
    const now = clock.now();
    const row: EvalDefinitionRow = {
      applicationId,
      id: newId(),
      orgId,
      type: enumName(EvalDefinitionTypeSchema, type),
      name,
      criterion: globalConfig?.criterion ?? null,
      styleGuideId: styleGuideId?.toLowerCase() ?? null,
      createdAt: now,
      modifiedAt: now,
    };
    return database.change(call, async (tx) => {
      await requireReferences(tx, applicationId, { styleGuide: row.styleGuideId });
      await tx.insert(EvalDefinitionEntity, row);
      return { data: evalDefinition({ ...row, isLinked: false, topics: [] }, undefined) };
    });
  };
}
