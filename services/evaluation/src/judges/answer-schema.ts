// Schemas of models' answers, and the spellings that are accepted for their values. Providers accept few keywords of
// JSON Schema, so lengths of texts and lists are checked here. The JSON Schema contains only the regular spelling.

import { z } from "@ems/kit/config";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { AnswerSchema, Json } from "./judge.ts";

const textMax = 10_000;
const itemsMax = 500;

/** Text in an answer, of limited length. */
export const text = () =>
  z.preprocess(
    (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value),
    z.string().refine((value) => value.length <= textMax, `must have at most ${textMax} characters`),
  );

/** List in an answer, of limited length. Null is an empty list. */
export const boundedList = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) => (value === null ? [] : value),
    z.array(item).refine((value) => value.length <= itemsMax, `must have at most ${itemsMax} items`),
  );

/** Quotes, which may be missing: the judges check where one is required. */
export const quotes = () =>
  z.preprocess((value) => {
    const list = Array.isArray(value) ? value : [value];
    return list.filter((item) => item !== null && item !== undefined);
  }, boundedList(text()));

/** Quote, which may be missing: the judges ignore an item without a valid quote. */
export const quote = () => z.preprocess((value) => value ?? "", text());

/** Number of a block in the request, also in its name: `2`, `"2"`, `"PASSAGE 2"`. */
export const blockNumber = () => z.preprocess(onlyNumber, z.number().refine(Number.isSafeInteger));

/** Grade from 1 to 5, also as `"4"` or `"4/5"`. An enumeration, because some providers do not accept bounds. */
export const grade = () => z.preprocess(gradeNumber, z.literal([1, 2, 3, 4, 5]));

/** One of two passages, by its number. */
export const firstOrSecond = () => z.preprocess(onlyNumber, z.literal([1, 2]));

/** Yes or no. The words are those of a field, such as `supported`: its negations mean no. */
export const flag = (...words: readonly string[]) =>
  z.preprocess((value) => {
    const word = toWord(value);
    if (positive.has(word) || words.includes(word)) return true;
    const negations = words.flatMap((each) => ["not ", "un", "ir", "non ", "in"].map((prefix) => prefix + each));
    return negative.has(word) || negations.includes(word) ? false : value;
  }, z.boolean());

/** Verdict Y or N. */
export const yesOrNo = () =>
  z.preprocess(
    (value) => {
      const word = toWord(value);
      if (positive.has(word)) return "Y";
      return negative.has(word) ? "N" : value;
    },
    z.enum(["Y", "N"]),
  );

/** One of several words, in any case and with any separators. */
export const enumeration = <const Words extends readonly [string, ...string[]]>(
  words: Words,
  whenNull?: Words[number],
) =>
  z.preprocess((value) => {
    if (value === null || value === undefined) return whenNull ?? value;
    const word = toWord(value);
    return words.find((each) => toWord(each) === word) ?? value;
  }, z.enum(words));

/** Object in an answer. Unknown fields are ignored, and names of fields may differ in case and separators. */
export const answerObject = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const names = new Map(Object.keys(shape).map((name) => [toKey(name), name]));
  return z.preprocess((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const fields = Object.entries(value).flatMap(([name, field]) => {
      const own = Object.hasOwn(shape, name) ? name : names.get(toKey(name));
      return own === undefined || (own !== name && Object.hasOwn(value, own)) ? [] : [[own, field] as const];
    });
    return Object.fromEntries(fields);
  }, z.object(shape));
};

export function answerSchema<T>(name: string, type: z.ZodType<T>): AnswerSchema<T> {
  // Safe cast: the result is JSON, although the library's type is wider.
  const { $schema: _, ...json } = z.toJSONSchema(type) as { readonly [key: string]: Json };
  let validate: ReturnType<Ajv2020["compile"]> | undefined;
  return {
    name,
    json,
    parse: (value) => type.safeParse(value).data,
    isExact: (value) => {
      validate ??= new Ajv2020().compile(json);
      return validate(value) === true;
    },
    findProblem: (value) => {
      const [issue] = type.safeParse(value).error?.issues ?? [];
      if (issue === undefined) return undefined;
      // Only names of the schema and numbers, because names in the answer may be anything.
      const path = issue.path.map((part) => String(part)).join(".");
      return `${path === "" ? "the answer" : path}: ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
    },
  };
}

const positive = new Set(["y", "yes", "true", "pass", "passes", "passed", "met", "correct", "1", "✅", "✓"]);
const negative = new Set([
  "n",
  "no",
  "false",
  "fail",
  "fails",
  "failed",
  "not met",
  "unmet",
  "not passed",
  "incorrect",
  "0",
  "❌",
  "✗",
]);

/** Returns the words of a value in lower case, separated by one space, without punctuation around and between them. */
function toWord(value: unknown): string {
  if (typeof value !== "string") return typeof value === "boolean" || typeof value === "number" ? String(value) : "";
  if (value.length > wordMax) return "";
  return value
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{P}\s_`*|=<>+~^$]+/gu, " ")
    .trim();
}

/** A verdict is a word; a longer text is an explanation, whose first word may mislead. */
const wordMax = 60;

const toKey = (name: string) => (name.length > wordMax ? name : name.toLowerCase().replace(/[\s_-]+/g, ""));

/** Returns the number in a text that contains only one. */
function onlyNumber(value: unknown): unknown {
  if (typeof value !== "string" || value.length > wordMax) return value;
  const [only, ...more] = value.match(/\d+(?:\.\d+)?/g) ?? [];
  return only === undefined || more.length > 0 || value.includes("-") ? value : Number(only);
}

/** Returns the grade in `4`, `4/5`, `4 of 5` or `4 out of 5`. */
function gradeNumber(value: unknown): unknown {
  if (typeof value !== "string" || value.length > wordMax) return value;
  const [, digits] = /^\W*(\d+(?:\.\d+)?)(?:\s*(?:\/|of|out of)\s*5(?:\.0)?)?\W*$/i.exec(value) ?? [];
  return digits === undefined || value.includes("-") ? value : Number(digits);
}
