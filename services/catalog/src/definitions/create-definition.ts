import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { EvalDefinitionTypeSchema } from "@ems/proto/catalog/v1/eval_definition";
import type { Deps } from "../deps.ts";
import { newResource } from "../new-resource.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { definitionVersions, EvalDefinitionEntity, type EvalDefinitionRow } from "./entity.ts";
import { configColumns } from "./global-config.ts";
import { evalDefinition } from "./messages.ts";
import { assertPattern } from "./patterns.ts";

export function createDefinition({ database, ...deps }: Deps): Handlers<typeof DefinitionService>["createDefinition"] {
  return async ({ type, name, globalConfig, styleGuideId, quickstartId }, call) => {
    assertPattern(globalConfig);
    const row: EvalDefinitionRow = {
      ...newResource(deps, call),
      type: enumName(EvalDefinitionTypeSchema, type),
      name,
      ...configColumns(globalConfig),
      styleGuideId: styleGuideId?.toLowerCase() ?? null,
      quickstartId: quickstartId?.toLowerCase() ?? null,
      version: 1,
      status: quickstartId === undefined ? "ACTIVE" : "DRAFT",
    };
    const change = database.change(call, async (tx) => {
      await tx.insert(EvalDefinitionEntity, row);
      definitionVersions.answer(call, row);
      return { data: evalDefinition({ ...row, isLinked: false, topics: [], calibration: null }) };
    });
    return change.catch(rethrowMissingReference);
  };
}
