import type { Value } from "@bufbuild/protobuf/wkt";
import { enumName } from "@ems/kit/enum";
import { EvalDefinitionTypeSchema, type JudgeDefinition } from "@ems/proto/catalog/v1/eval_definition";
import type { GetJudgeInputResponse, JudgedEvaluation } from "@ems/proto/experiments/v1/execution_service";
import type { Comparison, JudgedBy, JudgeInput, JudgeType } from "./judge.ts";

/** Returns a judge's input for one evaluation; undefined if its definition was deleted. */
export function judgeInput(
  { question, output, context, hasRetriever, facts }: GetJudgeInputResponse,
  { definition, expected }: JudgedEvaluation,
  votes: number,
): JudgeInput | undefined {
  if (definition === undefined) return undefined;
  const judgedBy = judged(definition);
  return { question, output, context, hasRetriever, facts, definition: judgedBy, expected: texts(expected), votes };
}

function judged({ type, name, globalConfig, styleGuide }: JudgeDefinition): JudgedBy {
  const { criterion, groundTruth } = globalConfig ?? {};
  return {
    type: enumName<JudgeType>(EvalDefinitionTypeSchema, type),
    name,
    criterion,
    groundTruth,
    comparison: comparison(globalConfig),
    styleGuide,
  };
}

function comparison(config: JudgeDefinition["globalConfig"]): Comparison | undefined {
  if (config?.type === undefined) return undefined;
  const { type, extract, matchMode, passThreshold, scoreMetric, settings } = config;
  return {
    // Safe cast: the API's rules have validated the value.
    type: type as Comparison["type"],
    extract: extract && { pattern: extract.pattern, flags: extract.flags, group: numbers(extract.group) },
    matchMode: matchMode as Comparison["matchMode"],
    passThreshold,
    scoreMetric: scoreMetric as Comparison["scoreMetric"],
    exact: settings?.exact,
  };
}

function numbers(group: Value | undefined): number | readonly number[] {
  const { kind } = group ?? {};
  if (kind?.case === "listValue") return kind.value.values.map((value) => Number(value.kind.value));
  return kind?.case === "numberValue" ? kind.value : 0;
}

function texts(value: Value | undefined): string | readonly string[] | undefined {
  const { kind } = value ?? {};
  if (kind?.case === "stringValue") return kind.value;
  if (kind?.case !== "listValue") return undefined;
  return kind.value.values.map(({ kind: item }) => (item.case === "stringValue" ? item.value : ""));
}
