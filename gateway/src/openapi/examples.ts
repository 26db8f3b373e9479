// Deterministic example values: from examples.json by field name, else derived from the schema.

import { hash } from "node:crypto";
import type { DescField, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { systemClock } from "@ems/kit/clock";
import examplesJson from "./examples.json" with { type: "json" };
import type { NamedSchemas } from "./named-schemas.ts";

const idPrefix = "019a7d3c-";
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Examples by `field` or `Noun.field`. `{topicId}` stands for the example ID of a topic, `{yesterday}` for the start of
 * yesterday.
 */
const examples: Readonly<Record<string, JsonValue>> = JSON.parse(JSON.stringify(examplesJson), (_key, value) =>
  typeof value === "string" ? filledIn(value) : value,
);

function filledIn(text: string): string {
  if (text === "{yesterday}")
    return new Date(systemClock.nowMs() - dayMs).toISOString().replace(/T.*/, "T00:00:00.000Z");
  return text.replace(/^\{(\w+Id)\}$/, (_, field: string) => exampleId(field));
}

function exampleFor(owner: string, field: string): JsonValue | undefined {
  const own = ownExampleFor(owner, field);
  // An example of null marks a field that another field excludes.
  return own === undefined ? examples[field] : own;
}

/** Returns the example of a field of this message only, not of other fields with the same name. */
function ownExampleFor(owner: string, field: string): JsonValue | undefined {
  const noun = owner.replace(/^(?:Create|Update|Set|New|Recorded)(?=[A-Z])|(?:Request|Changed|Summary)$/g, "");
  return [`${owner}.${field}`, `${noun}.${field}`]
    .map((name) => examples[name])
    .find((example) => example !== undefined);
}

/** Returns the same ID for `id` of a Topic and for `topicId` elsewhere. */
function exampleId(field: string, owner = ""): string {
  const noun = field === "id" ? owner : field.replace(/Ids?$/, "");
  const digits = hash("sha256", noun.charAt(0).toLowerCase() + noun.slice(1));
  return `${idPrefix}${digits.slice(0, 4)}-7${digits.slice(4, 7)}-9${digits.slice(7, 10)}-${digits.slice(10, 22)}`;
}

export function parameterExample(field: string, noun: string, isId: boolean): JsonValue {
  return isId ? exampleId(field, noun) : (exampleFor(noun, field) ?? field);
}

/**
 * Returns a request example that works unchanged. Optional fields have no IDs in it, because the document's IDs do not
 * exist.
 */
export function buildRequestExample(schema: JsonObject, schemas: NamedSchemas, field?: DescField): JsonValue {
  return buildExample(schema, schemas, field, true);
}

/** Returns an example of `schema`, or of the value of `field`. */
export function buildExample(
  schema: JsonObject,
  schemas: NamedSchemas,
  field?: DescField,
  isRequest = false,
): JsonValue {
  return exampleValue(schema, {
    isRequest,
    field: field?.jsonName ?? "",
    owner: field?.parent.name ?? "",
    ancestors: [],
    schemas,
  });
}

interface Location {
  readonly isRequest: boolean;
  readonly field: string;
  /** Name of the schema that contains the field. */
  readonly owner: string;
  /** Recursion guard: a schema is not repeated within itself. */
  readonly ancestors: readonly string[];
  readonly schemas: NamedSchemas;
}

function exampleValue(schema: JsonObject, location: Location): JsonValue {
  const { $ref, anyOf, enum: values, items } = schema;
  const { field, owner, ancestors, schemas } = location;
  if (typeof $ref === "string") {
    const own = ownExampleFor(owner, field);
    if (own !== undefined) return own;
    const { name, schema: target } = schemas.resolve($ref);
    if (ancestors.includes(name)) return null;
    return exampleValue(target, { ...location, owner: name, ancestors: [...ancestors, name] });
  }
  if (Array.isArray(anyOf)) return isSchema(anyOf[0]) ? exampleValue(anyOf[0], location) : null;
  const example = exampleFor(owner, field);
  if (example !== undefined) return example;
  if (Array.isArray(values)) return values[0] ?? null;
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object":
      return buildObject(schema, location);
    case "array":
      return isSchema(items) ? [exampleValue(items, location)].filter((item) => item !== null) : [];
    case "string":
      return buildText(schema, field, owner);
    case "boolean":
      return true;
    case "integer":
    case "number":
      return typeof schema.minimum === "number" && schema.minimum > 0 ? schema.minimum : 1;
    default:
      return null;
  }
}

function buildObject({ properties, required }: JsonObject, location: Location): JsonObject {
  const fields = isSchema(properties) ? Object.entries(properties) : [];
  const isRequired = (field: string) => Array.isArray(required) && required.includes(field);
  const values = fields.map(
    ([field, schema]) => [field, isSchema(schema) ? exampleValue(schema, { ...location, field }) : null] as const,
  );
  return Object.fromEntries(
    values.filter(
      ([field, value]) =>
        !location.isRequest ||
        isRequired(field) ||
        ownExampleFor(location.owner, field) !== undefined ||
        !isMadeUp(value),
    ),
  );
}

/** True if the value is an ID invented for the document, or a list of them. */
function isMadeUp(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isMadeUp);
  return typeof value === "string" && (value.startsWith(idPrefix) || value === examples.assignedTo);
}

function buildText({ format }: JsonObject, field: string, owner: string): string {
  switch (format) {
    case "uuid":
      return exampleId(field, owner);
    case "date-time":
      return "2026-03-02T09:30:00.000Z";
    case "uri":
      return "https://example.com/";
    case "email":
      return "ana.duarte@example.com";
    default:
      return field.replace(/([A-Z])/g, " $1").toLowerCase();
  }
}

function isSchema(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
