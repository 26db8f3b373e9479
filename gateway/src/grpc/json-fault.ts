// Locates an error of protobuf's JSON reader, whose messages name only a field or a type.

import { type DescField, type DescMessage, fromJson, isMessage, type JsonValue } from "@bufbuild/protobuf";

/** Returns the path of the first unreadable value: proto names and indexes, from the outermost inwards. */
export function faultPath(desc: DescMessage, json: JsonValue): string[] {
  if (!isObject(json) || desc.typeName.startsWith("google.protobuf.")) return [];
  for (const [key, value] of Object.entries(json)) {
    const field = desc.fields.find(({ name, jsonName }) => key === name || key === jsonName);
    if (field === undefined) return [key];
    if (isReadable(desc, key, value)) continue;
    return [field.name, ...within(desc, key, field, value)];
  }
  return [];
}

function within(desc: DescMessage, key: string, field: DescField, value: JsonValue): string[] {
  if (field.fieldKind === "list" && Array.isArray(value)) {
    const index = value.findIndex((item) => !isReadable(desc, key, [item]));
    const item = value[index];
    if (item === undefined) return [];
    return [String(index), ...(field.message === undefined ? [] : faultPath(field.message, item))];
  }
  if (field.fieldKind === "map" && isObject(value)) {
    const entry = Object.entries(value).find(([name, item]) => !isReadable(desc, key, { [name]: item }));
    if (entry === undefined) return [];
    return [entry[0], ...(field.message === undefined ? [] : faultPath(field.message, entry[1]))];
  }
  return field.fieldKind === "message" ? faultPath(field.message, value) : [];
}

function isReadable(desc: DescMessage, key: string, value: JsonValue): boolean {
  try {
    return isMessage(fromJson(desc, { [key]: value }));
  } catch {
    return false;
  }
}

function isObject(json: JsonValue): json is { [key: string]: JsonValue } {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
