// Reads a judge's object from the text of an answer, whatever the model wrote around it: bare JSON first, then the
// objects in fences, after thoughts and between words.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { contains } from "@ems/assertions";
import type { AnswerSchema, RepairableKind } from "../judges/index.ts";
import { readJson } from "./json-in.ts";
import { type FoundObject, findObjects, isObject } from "./json-objects.ts";

export type ReadText<T> = (
  | { readonly object: T }
  | { readonly fault: RepairableKind; readonly problem?: string | undefined }
) & {
  /** False if the text is not JSON of the schema, so that the server does not enforce it; undefined if unknown. */
  readonly isEnforced?: boolean;
};

/** Maximum number of characters in an answer; longer answers are not read. */
const answerCharsMax = 64 * 1024;

/**
 * Returns the object that fits the schema. An object that stands literally in the prompt is a quotation of the data, not
 * an answer; two different objects that fit are ambiguous.
 */
export function readText<T>(text: string, schema: AnswerSchema<T>, prompt: string): ReadText<T> {
  // Invisible characters around the text, such as a byte order mark, would make it invalid JSON.
  const trimmed = text.replace(/^[\s\u200b\ufeff]+/, "");
  if (trimmed === "") return { fault: "empty" };
  if (trimmed.length > answerCharsMax) return { fault: "not_json", problem: "it is too long" };
  const direct = readJson(trimmed.trimEnd());
  const bare = unwrap(direct);
  if (bare !== undefined) {
    const fitting = fit(bare, schema);
    const isEnforced = bare === direct && schema.isExact?.(bare) !== false;
    if (fitting === undefined) return { fault: "schema", problem: schema.findProblem?.(bare), isEnforced };
    return { object: fitting, isEnforced };
  }
  const isEnforced = false;
  const found = findAll(trimmed).filter(({ written }) => !contains(prompt, written));
  const fitting = found.map(({ object }) => fit(object, schema)).filter((object) => object !== undefined);
  const [first, ...different] = new Map(fitting.map((object) => [JSON.stringify(object), object])).values();
  if (different.length > 0)
    return { fault: "not_json", problem: "it contains several different JSON objects", isEnforced };
  if (first !== undefined) return { object: first, isEnforced };
  const [only] = found;
  if (only === undefined) return { fault: "not_json", isEnforced };
  return { fault: "schema", problem: schema.findProblem?.(only.object), isEnforced };
}

/** Maximum number of times that JSON is written as a text of JSON. */
const levelsMax = 3;

/** Returns the object in a list of one, or in a text that is JSON. */
function unwrap(json: JsonValue | undefined, levels = levelsMax): JsonObject | undefined {
  if (isObject(json)) return json;
  if (levels === 0) return undefined;
  if (Array.isArray(json)) return json.length === 1 ? unwrap(json[0], levels - 1) : undefined;
  return typeof json === "string" ? unwrap(readJson(json.trim()), levels - 1) : undefined;
}

/** Finds the objects in a text; if there are none, those in a JSON text inside of it, whose quotes are escaped. */
function findAll(text: string): FoundObject[] {
  let inner = text;
  for (let level = 0; level < levelsMax; level++) {
    const found = findObjects(inner);
    const [start, end] = [inner.indexOf("{"), inner.lastIndexOf("}")];
    if (found.length > 0 || end <= start || !inner.includes('\\"')) return found;
    const unescaped = readJson(`"${inner.slice(start, end + 1).replace(/[\n\r\t]/g, " ")}"`);
    if (typeof unescaped !== "string") return [];
    inner = unescaped;
  }
  return [];
}

/** Parses an object, or the only one of its fields that fits, such as in `{"judgement": {…}}`. */
function fit<T>(object: JsonObject, schema: AnswerSchema<T>): NonNullable<T> | undefined {
  const whole = schema.parse(object) ?? undefined;
  if (whole !== undefined) return whole;
  const fields = Object.values(object);
  if (fields.length > fieldsMax) return undefined;
  const inner = fields
    .map((field) => unwrap(field))
    .map((field) => (field === undefined ? undefined : (schema.parse(field) ?? undefined)))
    .filter((field) => field !== undefined);
  return inner.length === 1 ? inner[0] : undefined;
}

/** An object around the answer has few fields. */
const fieldsMax = 20;
