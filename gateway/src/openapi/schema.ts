// Messages as JSON Schema 2020-12, told as kit's reader takes them and its writer gives them. Requests are strict; answers
// are open, since fields may be added to them.

import { create, type DescField, type DescMessage, type JsonObject } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { isRequired } from "@ems/kit/json/constraints";
import { findViolations } from "@ems/kit/json/validate";
import { isNullValue, valueKind } from "@ems/kit/json/value-kind";
import type { Components } from "./named-schemas.ts";
import { described, fieldText, messageText } from "./text.ts";
import { fieldSchema } from "./value-schema.ts";

/** A request body without the fields that the path holds. A nested message that is answered too is named `…Input`. */
export function requestSchema(
  components: Components,
  message: DescMessage,
  inPath: readonly DescField[] = [],
): JsonObject {
  return components.ref(`request ${message.typeName}`, namesOf(message, "Input"), () => {
    const fields = message.fields.filter((field) => !inPath.includes(field));
    const required = requiredFields(message);
    return {
      ...objectSchema(message, fields, (field) => {
        const schema = parameterSchema(components, field);
        return !required.has(field) && canBeLeftOutByNull(field) ? nullable(schema) : schema;
      }),
      ...requiredKeyword(fields.filter((field) => required.has(field))),
      additionalProperties: false,
    };
  });
}

/** An answer, or inside of one another message. */
export function responseSchema(components: Components, message: DescMessage, isEnvelope = true): JsonObject {
  const refOf = (nested: DescMessage) => responseSchema(components, nested, false);
  return components.ref(`response ${message.typeName}`, namesOf(message, "Output"), () => ({
    ...objectSchema(message, message.fields, (field) => {
      const schema = fieldSchema(field, { side: "response", components, refOf });
      return mayBeNull(field, isEnvelope) ? nullable(schema) : schema;
    }),
    ...requiredKeyword(message.fields.filter(isAlwaysWritten)),
  }));
}

/** A parameter in path or query, or a property of a body before null is thought of. */
export function parameterSchema(components: Components, field: DescField): JsonObject {
  const refOf = (nested: DescMessage) => requestSchema(components, nested);
  return fieldSchema(field, { side: "request", components, refOf });
}

/** The fields without which a message is refused: a message with nothing in it breaks their rules, and no others. */
export function requiredFields(message: DescMessage): ReadonlySet<DescField> {
  const broken = new Set(findViolations(message, create(message)).map(({ field: [first] }) => first));
  return new Set(message.fields.filter((field) => isRequired(field) || broken.has(field)));
}

/** null says that nothing is given, where there is something to leave out. */
function canBeLeftOutByNull(field: DescField): boolean {
  return (hasPresence(field) || field.fieldKind === "enum") && !isFreeValue(field);
}

/**
 * Whether an answer may have null there. Scalars and enums say it by `optional`. A message always knows being unset, so
 * the contract says it by `optional` and (buf.validate.field).required; without either, timestamps and what an envelope
 * holds are there, and other messages may be absent.
 */
function mayBeNull(field: DescField, isEnvelope: boolean): boolean {
  if (!hasPresence(field) || !isAlwaysWritten(field)) return false;
  if (field.proto.proto3Optional) return true;
  return field.fieldKind === "message" && !isEnvelope && !isRequired(field) && valueKind(field).kind !== "timestamp";
}

/** Of a oneof at most one member is written, and what null is a value of only if there is one. */
function isAlwaysWritten(field: DescField): boolean {
  return field.oneof === undefined && !isNullValue(field);
}

function isFreeValue(field: DescField): boolean {
  return field.fieldKind === "message" && valueKind(field).kind === "value";
}

function hasPresence({ presence }: DescField): boolean {
  return presence !== FeatureSet_FieldPresence.IMPLICIT;
}

function nullable(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  return { ...schema, type: [type, "null"], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

function objectSchema(
  message: DescMessage,
  fields: readonly DescField[],
  schemaOf: (field: DescField) => JsonObject,
): JsonObject {
  const properties = fields.map((field) => [field.jsonName, { ...schemaOf(field), ...described(fieldText(field)) }]);
  return { type: "object", ...described(messageText(message)), properties: Object.fromEntries(properties) };
}

function requiredKeyword(fields: readonly DescField[]): JsonObject {
  return fields.length > 0 ? { required: fields.map(({ jsonName }) => jsonName) } : {};
}

/** The plain name, or what tells two of that name apart: the way that a message goes, or the service it is of. */
function namesOf({ name, file }: DescMessage, way: string): string[] {
  const [, service = ""] = file.proto.package.split(".");
  const prefix = service.charAt(0).toUpperCase() + service.slice(1);
  return [name, `${name}${way}`, `${prefix}${name}`, `${prefix}${name}${way}`];
}
