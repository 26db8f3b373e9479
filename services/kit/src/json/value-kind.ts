// JSON form of a field's values, shared by reader, writer and OpenAPI schemas.

import { type DescEnum, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { inline } from "@ems/proto/rest/v1/rest";

export type ValueKind =
  | { kind: "scalar"; scalar: ScalarType }
  | { kind: "enum"; enum: DescEnum }
  | { kind: "message"; message: DescMessage }
  | { kind: "inline"; message: DescMessage; inner: DescField }
  | { kind: "timestamp" | "struct" | "value" | "listValue" };

/** Returns the kind of a field's value, or of a list's or map's values. Throws for types without a JSON form. */
export function valueKind(field: DescField): ValueKind {
  if (field.fieldKind === "map" && field.mapKey !== ScalarType.STRING) {
    throw unsupported(field, "map keys other than strings");
  }
  if (field.enum !== undefined) {
    if (field.enum.sharedPrefix === undefined)
      throw unsupported(field, `enum ${field.enum.typeName} without a common prefix`);
    return { kind: "enum", enum: field.enum };
  }
  if (field.message !== undefined) return messageKind(field, field.message);
  if ("longAsString" in field && field.longAsString) throw unsupported(field, "jstype JS_STRING");
  return { kind: "scalar", scalar: field.scalar };
}

function messageKind(field: DescField, message: DescMessage): ValueKind {
  switch (message.typeName) {
    case "google.protobuf.Timestamp":
      return { kind: "timestamp" };
    case "google.protobuf.Struct":
      return { kind: "struct" };
    case "google.protobuf.Value":
      return { kind: "value" };
    case "google.protobuf.ListValue":
      return { kind: "listValue" };
    case "google.protobuf.Empty":
      return { kind: "message", message };
  }
  if (message.typeName.startsWith("google.protobuf.")) throw unsupported(field, message.typeName);
  if (!isInline(message)) return { kind: "message", message };
  const [inner, ...more] = message.fields;
  if (more.length > 0 || (inner?.fieldKind !== "list" && inner?.fieldKind !== "map")) {
    throw unsupported(field, `the inline message ${message.typeName}: it is not one list or one map`);
  }
  return { kind: "inline", message, inner };
}

/** Returns true if the message's JSON is the value of its only field (ems.rest.v1.inline). */
export function isInline(message: DescMessage): boolean {
  return getOption(message, inline);
}

/** Returns true if null is a value of the field, and only absence means unset. */
export function isNullValue(field: DescField): boolean {
  return field.fieldKind === "message" && ["value", "inline"].includes(valueKind(field).kind);
}

function unsupported(field: DescField, what: string): Error {
  return new Error(`${field.parent.typeName}.${field.name}: this API's JSON has no form for ${what}`);
}
