import { enumName } from "@ems/kit/enum";
import { buildMessage } from "@ems/kit/message";
import {
  type EvalDefinition,
  EvalDefinitionType,
  EvalDefinitionTypeSchema,
} from "@ems/proto/catalog/v1/eval_definition";
import {
  ReviewExampleSchema,
  ReviewedCriterionSchema,
  ReviewScaleSchema,
} from "@ems/proto/experiments/v1/human_annotation_queue_service";
import type { ExampleRow } from "./examples.ts";
import { getReviewScale } from "./review-scale.ts";

const descriptions: Readonly<Record<EvalDefinitionType, string>> = {
  [EvalDefinitionType.UNSPECIFIED]: "",
  [EvalDefinitionType.NATURALNESS]: "The answer is coherent, engaging, natural, relevant and clear.",
  [EvalDefinitionType.STYLE]: "The answer follows the style guide.",
  [EvalDefinitionType.RECALL]:
    "The retrieved context is relevant, supports the answer, and the answer serves the question.",
  [EvalDefinitionType.FACT]: "The answer's claims agree with the facts of its topic.",
  [EvalDefinitionType.CUSTOM]: "The answer meets the criterion.",
  [EvalDefinitionType.OUTPUT_MATCH]: "The answer matches the expected output.",
};

/** Builds the message of a definition for reviewers. */
export function reviewedCriterion(definition: EvalDefinition, examples: readonly ExampleRow[]) {
  const { id, name, type, globalConfig } = definition;
  const scale = getReviewScale(definition);
  return buildMessage(ReviewedCriterionSchema, {
    definitionId: id,
    name,
    type: enumName<string>(EvalDefinitionTypeSchema, type),
    criterion: globalConfig?.criterion ?? globalConfig?.groundTruth ?? descriptions[type] ?? "",
    scale: scale === undefined ? null : buildMessage(ReviewScaleSchema, scale),
    examples: examples
      .filter(({ definitionId }) => definitionId === id)
      .map(({ scoreMicro, ...row }) =>
        buildMessage(ReviewExampleSchema, { ...row, score: scoreMicro === null ? null : Number(scoreMicro) / 1e6 }),
      ),
  });
}
