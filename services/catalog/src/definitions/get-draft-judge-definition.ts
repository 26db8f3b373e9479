import { create } from "@bufbuild/protobuf";
import { invalidRequest } from "@ems/kit/errors";
import { findViolations } from "@ems/kit/json/validate";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import { CreateDefinitionRequestSchema } from "@ems/proto/catalog/v1/definition_service";
import type { GetDraftJudgeDefinitionRequest, TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import type { Deps } from "../deps.ts";
import { styleGuideById } from "../style-guides/index.ts";
import { judgedSections } from "./judged-sections.ts";
import { assertPattern } from "./patterns.ts";

/** Returns a judge's view of an unsaved definition. Validates it as if it were saved. */
export function getDraftJudgeDefinition({
  database,
}: Deps): Handlers<typeof TestPlanService>["getDraftJudgeDefinition"] {
  return async (request, call) => {
    const { type, globalConfig, styleGuideId } = request;
    assertValid(request);
    assertPattern(globalConfig);
    const guide = styleGuideId === undefined ? undefined : await styleGuideById.read(database, call, styleGuideId);
    const styleGuide = judgedSections(guide?.content ?? []);
    return { definition: { type, ...definedFields({ globalConfig }), styleGuide } };
  };
}

/** Applies the validation rules of CreateDefinitionRequest, whose fields have the same names. */
function assertValid({ type, globalConfig, styleGuideId }: GetDraftJudgeDefinitionRequest): void {
  const request = create(CreateDefinitionRequestSchema, {
    type,
    name: "Draft",
    ...definedFields({ globalConfig, styleGuideId }),
  });
  const violations = findViolations(CreateDefinitionRequestSchema, request);
  if (violations.length > 0) throw invalidRequest(violations);
}
