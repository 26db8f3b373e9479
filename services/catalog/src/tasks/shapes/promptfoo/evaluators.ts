// Converts assertions of promptfoo to evaluators of type OUTPUT_MATCH, where these decide in the same way. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { asText, type Evaluator, isObject } from "../record.ts";
import { readList } from "./assertion-text.ts";
import { explainMissing } from "./paths.ts";
import { fillTemplate } from "./template.ts";

/** An evaluator, or the reason why there is none yet. */
export type Converted =
  | { readonly evaluator: Evaluator }
  /** `key`: the key of the assertion that the reason names. */
  | { readonly reason: string; readonly key?: string | undefined };

/** Keys of an assertion that do not change its decision, or that are read. */
const knownKeys = new Set(["type", "value", "metric", "weight", "description", "threshold"]);
/** Keys of the tool that change the decision in a way that has no place yet. */
const decidingKeys = new Set([
  ...["transform", "contextTransform", "config", "provider", "rubricPrompt", "assert", "contents"],
]);
const nameLengthMax = 100;
const describedMax = 80;
const patternLengthMax = 1_000;
const itemsMax = 1_000;

const titles: Readonly<Record<string, string>> = {
  equals: "Equals",
  contains: "Contains",
  "contains-all": "Contains",
  "contains-any": "Contains any",
  icontains: "Contains, any case",
  "icontains-all": "Contains all, any case",
  "icontains-any": "Contains any, any case",
  "starts-with": "Starts with",
  regex: "Matches",
};

export function convertAssertion(assertion: JsonObject, vars: JsonObject): Converted {
  const { type, value, metric, weight } = assertion;
  if (typeof type !== "string") return { reason: "The assertion has no type" };
  const unknown = Object.keys(assertion).filter((key) => !knownKeys.has(key) && !decidingKeys.has(key));
  const extra = unknown.length > 0 ? `: unknown key ${unknown.join(", ")}` : "";
  const [key] = unknown;
  const title = titles[type];
  if (title === undefined) return { reason: `Assertion ${type}${extra}${describe(assertion)}`, key };
  if (typeof value === "string" && value.startsWith("file://"))
    return { reason: `Assertion ${type} in ${value}: ${explainMissing(value)}` };
  if (value === undefined || value === null) return { reason: `Assertion ${type} has no value${extra}`, key };
  const deciding = Object.keys(assertion).filter((key) => decidingKeys.has(key) && type !== "starts-with");
  if (deciding.length > 0) return { reason: `Assertion ${type} with ${deciding.join(", ")}` };
  if (extra !== "") return { reason: `Assertion ${type}${extra}`, key };
  if (typeof weight === "number" && weight === 0) return { reason: `Assertion ${type} without weight` };
  const texts = readValues(type, value, vars);
  if (texts === undefined) return { reason: `Assertion ${type} whose value is no text, or needs more than variables` };
  const expressed = express(type, texts);
  if (expressed === undefined) return { reason: `Assertion ${type} whose value has no place yet` };
  const name = typeof metric === "string" ? (fillTemplate(metric, vars) ?? metric) : title;
  return { evaluator: { name: name.slice(0, nameLengthMax).toWellFormed(), ...expressed } };
}

/** Names an assertion by its metric, or else by its value. */
function describe({ metric, value }: JsonObject): string {
  const text = typeof metric === "string" ? metric : typeof value === "string" ? value : "";
  const line = text.trim().split(/[\r\n]/)[0] ?? "";
  if (line === "") return "";
  return `: ${line.length <= describedMax ? line : `${line.slice(0, describedMax - 1).toWellFormed()}…`}`;
}

function readValues(type: string, value: JsonValue, vars: JsonObject): string[] | undefined {
  const isList = /-(?:all|any)$/.test(type);
  if (isObject(value) || (Array.isArray(value) && !isList)) return undefined;
  const filled = (text: JsonValue) => (typeof text === "object" ? undefined : fillTemplate(asText(text), vars));
  const texts = Array.isArray(value) ? value.map(filled) : [filled(value)];
  if (texts.some((text) => text === undefined || text.startsWith("file://"))) return undefined;
  const list = texts as string[];
  return isList && !Array.isArray(value) ? readList(list[0] ?? "") : list;
}

function express(type: string, texts: readonly string[]): Pick<Evaluator, "config" | "expected"> | undefined {
  const [text = ""] = texts;
  if (texts.length === 0 || texts.length > itemsMax || texts.some((each) => each === "")) return undefined;
  switch (type) {
    case "equals":
      return { config: { type: "string", settings: { exact: true } }, expected: text };
    case "contains":
    case "contains-all":
      if (texts.every(isItem)) return { config: listConfig(1), expected: [...new Set(texts)] };
      return texts.length === 1 ? matching(escapePattern(text), "") : undefined;
    case "contains-any":
      if (texts.every(isItem)) return { config: listConfig(1 / itemsMax), expected: [...new Set(texts)] };
      return matching(texts.map(escapePattern).join("|"), "");
    case "icontains":
      return matching(escapePattern(text), "i");
    case "icontains-any":
      return matching(texts.map(escapePattern).join("|"), "i");
    case "icontains-all":
      return texts.length === 1 ? matching(escapePattern(text), "i") : undefined;
    case "starts-with":
      return matching(`^${escapePattern(text)}`, "");
    case "regex":
      return matching(text, "");
    default:
      return undefined;
  }
}

/** The share of expected texts that some item of the output contains must reach the threshold. */
const listConfig = (passThreshold: number): JsonObject => ({
  type: "list",
  matchMode: "contains",
  scoreMetric: "recall",
  passThreshold,
});

/** True if a search in the output's items finds the text where a search in the whole output does. */
function isItem(text: string): boolean {
  return text === text.trim() && !/["[\]`\r\n]/.test(text);
}

/** Expects the empty text in an empty group after the match, so that every match passes. */
function matching(pattern: string, flags: string): Pick<Evaluator, "config" | "expected"> | undefined {
  const whole = `(?:${pattern})()`;
  if (whole.length > patternLengthMax) return undefined;
  const group = countGroups(pattern) + 1;
  const extract = { pattern: whole, flags, group };
  return group > 100 ? undefined : { config: { type: "string", settings: { exact: true }, extract }, expected: "" };
}

function countGroups(pattern: string): number {
  const bare = pattern.replaceAll(/\\[\s\S]/g, "").replaceAll(/\[(?:\^?\])?[^\]]*\]/g, "");
  return [...bare.matchAll(/\((?!\?)|\(\?P?<(?![=!])/g)].length;
}

const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
