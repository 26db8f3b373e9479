// The schema for a simulated prompt, which users write. Its patterns run in RE2, whose running time is always linear.

import type { JsonObject } from "@bufbuild/protobuf";
import { Ajv2020 } from "ajv/dist/2020.js";
import { RE2JS } from "re2js";
import type { AnswerSchema, Json } from "../judges/index.ts";

/** Returns the schema, or an error message for the user. */
export function promptSchema(json: { readonly [key: string]: Json }): AnswerSchema<JsonObject> | string {
  try {
    const { $schema: _, ...schema } = json;
    const options = { strict: false, validateFormats: false, code: { regExp: linear } };
    const ajv = new Ajv2020(options);
    const removing = new Ajv2020({ ...options, removeAdditional: true });
    const isValid = ajv.compile({ type: "object", ...schema });
    const isValidWithout = removing.compile({ type: "object", ...schema });
    return {
      name: "prompt",
      json: { type: "object", ...schema },
      parse: (value) => {
        if (isValid(value)) return value as JsonObject;
        // Validation removes unknown fields from the copy, which models add.
        const copy = structuredClone(value);
        return isValidWithout(copy) ? (copy as JsonObject) : undefined;
      },
      isExact: (value) => isValid(value),
    };
  } catch {
    return "The task's simulatedPromptSchema is not a usable JSON Schema";
  }
}

/** Ajv identifies a pattern by its text. The engine's name is only for generated code, which is not used here. */
const linear = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern };
  },
  { code: "linear" },
);
