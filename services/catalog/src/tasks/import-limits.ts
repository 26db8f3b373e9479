import { jsonDepthMax } from "@ems/kit/json/issue-messages";
import type { ReadLimits } from "@ems/kit/readers";
import { bodyBytesMax, taskImportColumnsMax, taskImportValuesMax } from "@ems/proto/limits";

/** Cost of one import. In UTF-8 a body's escapes never become longer. */
export const importLimits: ReadLimits = {
  values: taskImportValuesMax,
  columns: taskImportColumnsMax,
  depth: jsonDepthMax,
  bytes: bodyBytesMax,
};
