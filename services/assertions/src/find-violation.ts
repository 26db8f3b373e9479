// Validates a value by a JSON Schema. Patterns run in RE2, whose running time is always linear.

import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { compile } from "./compile.ts";

export interface SchemaRequest {
  readonly schema: object;
  readonly value: unknown;
}

/** First violation of the schema; `path` is the value's place, such as `$.items[2]`. */
export type Violation =
  | { readonly kind: "none" }
  | { readonly kind: "violation"; readonly path: string; readonly message: string }
  /** The schema cannot be used. */
  | { readonly kind: "schema"; readonly message: string };

export function findViolation({ schema, value }: SchemaRequest): Violation {
  const validator = createValidator(schema);
  if (typeof validator === "string") return { kind: "schema", message: validator };
  if (validator(value)) return { kind: "none" };
  const [error] = validator.errors ?? [];
  return { kind: "violation", path: toPath(error?.instancePath ?? ""), message: describe(error) };
}

/** Returns the error in a schema to be saved; undefined if there is none. */
export function findSchemaFault(schema: object): string | undefined {
  const validator = createValidator(schema);
  return typeof validator === "string" ? validator : undefined;
}

function createValidator(schema: object) {
  const { $schema: _, ...content } = schema as Readonly<Record<string, unknown>>;
  try {
    return new Ajv2020({ strict: false, validateFormats: false, logger: false, code: { regExp: linear } }).compile(
      content,
    );
  } catch (error) {
    return `Not a JSON Schema: ${error instanceof Error ? error.message : ""}`;
  }
}

/** Ajv identifies a pattern by its text. The engine's name is only for generated code, which is not used here. */
const linear = Object.assign(
  (pattern: string) => {
    const compiled = compile({ pattern, flags: "" });
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern };
  },
  { code: "linear" },
);

const messageLengthMax = 200;

function describe(error: ErrorObject | undefined): string {
  const { keyword, params = {}, message = "does not match" } = error ?? {};
  const detail = keyword === "enum" ? `: ${JSON.stringify(params.allowedValues)}` : "";
  const name = keyword === "additionalProperties" ? `: ${JSON.stringify(params.additionalProperty)}` : "";
  return `${message}${detail}${name}`.slice(0, messageLengthMax);
}

function toPath(pointer: string): string {
  const steps = pointer.split("/").slice(1);
  return steps.reduce((path, step) => {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return /^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`;
  }, "$");
}
