// Completes evaluations sent with a trace: adds the fields that clients need, if the sender omitted them.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { withDoubles } from "@ems/kit/json/exact-number";
import { describeScale, isOnScale } from "@ems/proto/scales";
import type { Rejection } from "../traces/index.ts";

const types = new Set(["NATURALNESS", "STYLE", "RECALL", "FACT", "CUSTOM", "OUTPUT_MATCH"]);
const statuses = ["PENDING", "IN_PROGRESS", "COMPLETED", "FAILED", "SKIPPED"];

/** Returns the evaluations with omitted fields filled in, or the first error. */
export function completeEvals(
  evals: readonly JsonObject[],
  { orgId, now }: { readonly orgId: string; readonly now: Date },
): JsonObject[] | Rejection {
  const dates = { createdAt: now.toISOString(), modifiedAt: now.toISOString() };
  const complete: JsonObject[] = [];
  for (const [index, evaluation] of evals.entries()) {
    const error = fault(evaluation);
    if (error !== undefined) return { error: `evals.${index}.${error}` };
    const { definition, ...fields } = withoutNulls(evaluation);
    if (fields.score !== undefined) fields.score = withDoubles(fields.score);
    complete.push({ ...dates, orgId, ...fields, definition: isObject(definition) ? completed(definition, dates) : {} });
  }
  return complete;
}

function completed({ application, ...definition }: JsonObject, dates: JsonObject): JsonObject {
  const complete = { ...dates, ...withoutNulls(definition) };
  if (!isObject(application)) return complete;
  return { ...complete, application: { ...dates, environment: "DEV", language: "en", ...withoutNulls(application) } };
}

/** Removes nulls: null means that a field is not set. */
function withoutNulls(json: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
}

function fault({ id, definition, status, score, passed, message, results }: JsonObject): string | undefined {
  if (typeof id !== "string") return "id: Required";
  if (!isObject(definition)) return "definition: Required";
  for (const name of ["id", "name", "type"]) {
    if (typeof definition[name] !== "string") return `definition.${name}: Required`;
  }
  if (typeof status !== "string" || !statuses.includes(status)) return `status: Expected ${statuses.join(" | ")}`;
  const scored = score && withDoubles(score);
  if (!isOptional(scored, "number")) return "score: Expected number";
  const { type } = definition;
  if (typeof scored === "number" && typeof type === "string" && types.has(type) && !isOnScale(scored * 1e6, type))
    return `score: ${describeScale(type)}`;
  if (!isOptional(passed, "boolean")) return "passed: Expected boolean";
  if (!isOptional(message, "string")) return "message: Expected string";
  return isOptional(results, "object") ? undefined : "results: Expected object";
}

function isOptional(value: JsonValue | undefined, type: string): boolean {
  return value === undefined || value === null || (typeof value === type && !Array.isArray(value));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
