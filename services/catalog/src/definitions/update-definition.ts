import { isDeepStrictEqual } from "node:util";
import { create } from "@bufbuild/protobuf";
import { invalidRequest } from "@ems/kit/errors";
import { findViolations } from "@ems/kit/json/validate";
import { definedFields, textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import { CreateDefinitionRequestSchema, type DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import type { Deps } from "../deps.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { linkedApplication } from "./application.ts";
import { definitionVersions, EvalDefinitionEntity, type EvalDefinitionRow } from "./entity.ts";
import { configColumns, globalConfig as storedConfig } from "./global-config.ts";
import { evalDefinition } from "./messages.ts";
import { assertPattern } from "./patterns.ts";
import { getLinkedDefinition } from "./queries.ts";

export function updateDefinition({
  database,
  clock,
  applications,
}: Deps): Handlers<typeof DefinitionService>["updateDefinition"] {
  return async ({ id, name, globalConfig, styleGuideId }, call) => {
    assertPattern(globalConfig);
    const styleGuide = textOrNull(styleGuideId);
    const change = {
      ...definedFields({ name, styleGuideId: styleGuide?.toLowerCase() ?? styleGuide }),
      ...(globalConfig && configColumns(globalConfig)),
    };

    // Runs before the transaction, so that no row stays locked during the call to identity.
    const find = async () => {
      const found = await getLinkedDefinition(database, call, id);
      return { found, application: await linkedApplication(applications, call, [found]) };
    };

    const answer = database.changeAfter(call, find, async (tx, { found, application }) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const row = await tx.getOne(EvalDefinitionEntity, key, { lock: "UPDATE" });
      definitionVersions.check(call, row);
      const version = isJudgedBySame(row, { ...row, ...change }) ? row.version : row.version + 1;
      const changed = { ...change, version, modifiedAt: clock.now() };
      if (globalConfig !== undefined || styleGuide !== undefined) assertValid({ ...row, ...changed });
      tx.deferUpdate(EvalDefinitionEntity, key, changed);
      definitionVersions.answer(call, { ...row, ...changed });
      return { data: evalDefinition({ ...found, ...row, ...changed }, application) };
    });
    return answer.catch(rethrowMissingReference);
  };
}

function isJudgedBySame(before: EvalDefinitionRow, after: EvalDefinitionRow): boolean {
  return isDeepStrictEqual(judgedBy(before), judgedBy(after));
}

function judgedBy({ criterion, groundTruth, comparison, styleGuideId }: EvalDefinitionRow) {
  return { criterion, groundTruth, comparison, styleGuideId };
}

/** Validates an updated definition with the rules of CreateDefinitionRequest, whose fields have the same names. */
function assertValid({ type, name, styleGuideId, ...row }: EvalDefinitionRow): void {
  const config = storedConfig(row);
  const request = create(CreateDefinitionRequestSchema, {
    type: EvalDefinitionType[type],
    name,
    ...(config !== undefined && { globalConfig: config }),
    ...(styleGuideId !== null && { styleGuideId }),
  });
  const violations = findViolations(CreateDefinitionRequestSchema, request);
  if (violations.length > 0) throw invalidRequest(violations);
}
