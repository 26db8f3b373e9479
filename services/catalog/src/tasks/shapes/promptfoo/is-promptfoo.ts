// Recognizes tests and configurations of promptfoo. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Source } from "../read-source.ts";
import { isObject, type SourceRecord } from "../record.ts";

const configKeys = ["tests", "scenarios", "defaultTest"];
const testKeys = ["vars", "assert"];
const specialColumn = /^__(?:expected|description|metadata|prefix|suffix|metric|threshold|config|provider)/;

export function isPromptfoo({ document, columns, isTable, records }: Source): boolean {
  if (isTable) return columns.some(({ name }) => specialColumn.test(name));
  if (isObject(document)) {
    const hasModels = document.providers !== undefined || document.targets !== undefined;
    if (hasModels && ["prompts", "redteam", "extensions"].some((key) => document[key] !== undefined)) return true;
    if (configKeys.some((key) => key !== "tests" && document[key] !== undefined)) return true;
    if (typeof document.tests === "string") return true;
    if (document.title === undefined && isTemplate(document.prompts)) return true;
  }
  return records.some(isTest);
}

const isTemplate = (prompts: JsonValue | undefined) =>
  [prompts ?? []].flat().some((prompt) => typeof prompt === "string" && /\{\{[^{}]*\}\}/.test(prompt));

function isTest({ values }: SourceRecord): boolean {
  const [vars, assertions] = testKeys.map((key) => values.get(key));
  return isObject(vars) || (Array.isArray(assertions) && assertions.every(isObject));
}

/** True for a document with prompts, models or defaults around its tests. */
export const isConfig = (document: JsonObject) =>
  ["prompts", "providers", "targets", "scenarios", "defaultTest", "tests"].some((key) => document[key] !== undefined);
