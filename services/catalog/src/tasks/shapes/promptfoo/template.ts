// Fills variables into templates. Only plain variables such as `{{ city }}` and `{{ item.city }}` are known. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { asText, isObject } from "../record.ts";

const variable = /\{\{-?\s*([A-Za-z_$][\w$]*(?:\.[\w$]+|\[(?:\d+|"[^"\]]*"|'[^'\]]*')\])*)\s*-?\}\}/g;
/** Variables may contain variables. */
const roundsMax = 3;
/** Longer texts are never prompts. Without a limit, a variable repeated in a template could fill the memory. */
const lengthMax = 100_000;

/** Returns the filled template; undefined if it needs more than variables, or is too long. */
export function fillTemplate(template: string, vars: JsonObject, isJson = false): string | undefined {
  let text = template;
  for (let round = 0; round < roundsMax && text.includes("{{"); round++) {
    let length = text.length;
    text = text.replaceAll(variable, (_, path: string) => {
      if (length > lengthMax) return "";
      const value = valueText(findValue(vars, path));
      length += value.length;
      return isJson ? JSON.stringify(value).slice(1, -1) : value;
    });
    if (length > lengthMax) return undefined;
  }
  return /\{\{|\{%|\{#/.test(text) ? undefined : text;
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
