import { buildSelectList } from "@ems/kit/db/columns";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import type { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import type { Deps } from "../deps.ts";
import { factTexts, type JudgedFactRow, judgedFacts } from "../facts/index.ts";
import type { StyleGuideSectionValue } from "../style-guides/index.ts";
import { EvalDefinitionEntity, type EvalDefinitionRow } from "./entity.ts";
import { globalConfig } from "./global-config.ts";
import { judgedSections } from "./judged-sections.ts";

type JudgeDefinitionRow = EvalDefinitionRow & { readonly sections: StyleGuideSectionValue[] | null };

const definitionsById = `SELECT ${buildSelectList(EvalDefinitionEntity, "definition")}, guide.content AS sections
  FROM catalog.eval_definition definition
  LEFT JOIN catalog.style_guide guide
    ON guide.application_id = definition.application_id AND guide.id = definition.style_guide_id
  WHERE definition.application_id = $1 AND definition.id = ANY ($2::uuid[])`;

export function batchGetJudgeDefinitions({
  database,
}: Deps): Handlers<typeof TestPlanService>["batchGetJudgeDefinitions"] {
  return async ({ ids, taskId }, call) => {
    const { applicationId } = call.tenant;
    const [rows, facts = []] = await database.readAll(call, [
      { name: "judge-definitions", text: definitionsById, values: [applicationId, ids] },
      ...(taskId === undefined ? [] : [judgedFacts(applicationId, taskId, ids)]),
    ]);
    // Safe cast: the row types match the statements' select lists.
    const definitions = (rows as JudgeDefinitionRow[]).map(({ sections, ...row }) => ({
      id: row.id,
      version: row.version,
      type: EvalDefinitionType[row.type],
      name: row.name,
      ...definedFields({ globalConfig: globalConfig(row) }),
      styleGuide: judgedSections(sections ?? []),
    }));
    return { definitions, facts: factTexts(facts as JudgedFactRow[]) };
  };
}
