// Converts settings of definitions between messages and columns.

import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { writeJson } from "@ems/kit/json/write";
import { type GlobalConfig, GlobalConfigSchema } from "@ems/proto/catalog/v1/eval_definition";
import type { EvalDefinitionRow } from "./entity.ts";

type ConfigColumns = Pick<EvalDefinitionRow, "criterion" | "groundTruth" | "comparison">;

export function configColumns(config: GlobalConfig | undefined): ConfigColumns {
  if (config === undefined) return { criterion: null, groundTruth: null, comparison: null };
  const { criterion = null, groundTruth = null } = config;
  const { criterion: _, groundTruth: __, ...comparison } = writeJson(GlobalConfigSchema, config);
  return { criterion, groundTruth, comparison: Object.keys(comparison).length === 0 ? null : comparison };
}

/** Builds the settings; undefined if none is set. */
export function globalConfig({ criterion, groundTruth, comparison }: ConfigColumns): GlobalConfig | undefined {
  const content: JsonObject = {
    ...comparison,
    ...(criterion !== null && { criterion }),
    ...(groundTruth !== null && { groundTruth }),
  };
  return Object.keys(content).length === 0 ? undefined : fromJson(GlobalConfigSchema, content);
}
