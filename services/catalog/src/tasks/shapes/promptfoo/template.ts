// Fills variables into templates. Only plain variables such as `{{ city }}` and `{{ item.city }}` are known. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { asText, isObject } from "../record.ts";

const path = String.raw`[A-Za-z_$][\w$]*(?:\.[\w$]+|\[(?:\d+|"[^"\]]*"|'[^'\]]*')\])*`;
const filter = String.raw`\s*\|\s*\w+(?:\((?:"[^"{}]*"|'[^'{}]*')?\))?`;
const variable = new RegExp(String.raw`\{\{-?\s*(${path})((?:${filter}){0,5})\s*-?\}\}`, "g");
/** Variables may contain variables. */
const roundsMax = 3;
/** Longer texts are never prompts. Without a limit, a variable repeated in a template could fill the memory. */
const lengthMax = 100_000;

/** Returns the filled template; undefined if it needs more than variables, or is too long. */
export function fillTemplate(template: string, vars: JsonObject, isJson = false): string | undefined {
  let text = template;
  for (let round = 0; round < roundsMax && text.includes("{{"); round++) {
    let length = text.length;
    let isKnown = true;
    text = text.replaceAll(variable, (_, name: string, filters: string) => {
      if (length > lengthMax) return "";
      const value = applyFilters(findValue(vars, name), filters);
      isKnown &&= value !== undefined;
      const written = valueText(value);
      length += written.length;
      return isJson && !/\|\s*dump\b/.test(filters) ? JSON.stringify(written).slice(1, -1) : written;
    });
    if (!isKnown) return undefined;
    if (length > lengthMax) return undefined;
  }
  return /\{\{|\{%|\{#/.test(text) ? undefined : text;
}

/** True if a variable of the template has no value. */
export function missesVariable(template: string, vars: JsonObject): boolean {
  return [...template.matchAll(variable)].some(([, name = ""]) => findValue(vars, name) === undefined);
}

/** Returns undefined if a filter is unknown. */
function applyFilters(value: JsonValue | undefined, filters: string): JsonValue | undefined {
  let result: JsonValue | undefined = value ?? "";
  for (const [, name = "", quoted = ""] of filters.matchAll(/\|\s*(\w+)(?:\(([^)]*)\))?/g)) {
    result = applyFilter(result, name, quoted.slice(1, -1));
    if (result === undefined) return undefined;
  }
  return result;
}

function applyFilter(value: JsonValue, name: string, argument: string): JsonValue | undefined {
  switch (name) {
    case "dump":
      return JSON.stringify(value);
    case "safe":
      return value;
    case "trim":
      return valueText(value).trim();
    case "upper":
      return valueText(value).toUpperCase();
    case "lower":
      return valueText(value).toLowerCase();
    case "length":
      return Array.isArray(value) || typeof value === "string" ? value.length : undefined;
    case "join":
      return Array.isArray(value) ? value.map(valueText).join(argument) : undefined;
    case "default":
    case "d":
      return value === "" ? argument : value;
    default:
      return undefined;
  }
}

function findValue(vars: JsonObject, path: string): JsonValue | undefined {
  const names = path.split(/[.[\]]+/).map((name) => name.replaceAll(/^["']|["']$/g, ""));
  let value: JsonValue | undefined = vars;
  for (const name of names.filter((each) => each !== "")) {
    if (Array.isArray(value)) value = value[Number(name)];
    else value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

/** Returns the text of a value as the template engine writes it. */
function valueText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.join(",");
  return asText(value);
}
