// Text, list and free-form fields of an operation, from its schemas.

import { getSchema, type Operation, type Schema } from "../../client-reference/operations.ts";
import type { Request } from "../../client-reference/requests.ts";
import type { Document } from "../../harness/contract.ts";

export type FieldType = "text" | "list" | "map" | "free" | "number";

export interface Field {
  readonly operation: Operation;
  readonly place: "path" | "query" | "headers" | "body";
  /** Path of property names, with 0 for list elements. */
  readonly path: readonly (string | number)[];
  readonly type: FieldType;
  readonly schema: Schema;
  /** The innermost list around the field. */
  readonly list?: { readonly path: readonly (string | number)[]; readonly schema: Schema };
}

const depthMax = 7;

export function findFields(document: Document, operation: Operation): Field[] {
  const fields: Field[] = [];
  const visit = (field: Omit<Field, "type">, visited: readonly Schema[]) => {
    const { path } = field;
    const schema = getSchema(document, field.schema);
    if (visited.includes(schema) || path.length > depthMax || schema.enum !== undefined || "const" in schema) return;
    const inner = { ...field, schema };
    const stack = [...visited, schema];
    for (const each of schema.anyOf ?? []) visit({ ...field, schema: each }, stack);
    if (schema.anyOf !== undefined) return;
    if (schema.type === undefined) fields.push({ ...inner, type: "free" });
    for (const type of [schema.type ?? []].flat()) {
      if (type === "string") fields.push({ ...inner, type: "text" });
      else if (type === "number") fields.push({ ...inner, type: "number" });
      else if (type === "array") {
        fields.push({ ...inner, type: "list" });
        const list = { path, schema };
        visit({ ...field, path: [...path, 0], schema: schema.items ?? {}, list }, stack);
      } else if (type === "object") {
        const members = Object.entries(schema.properties ?? {});
        if (members.length === 0) fields.push({ ...inner, type: "map" });
        for (const [name, member] of members) visit({ ...field, path: [...path, name], schema: member }, stack);
      }
    }
  };
  for (const { name, in: place, schema } of operation.parameters) {
    visit({ operation, place: place === "header" ? "headers" : place, path: [name], schema }, []);
  }
  if (operation.body !== undefined) visit({ operation, place: "body", path: [], schema: operation.body }, []);
  return unique(fields);
}

/** Alternatives of a schema may repeat a field. */
function unique(fields: readonly Field[]): Field[] {
  return [...new Map(fields.map((field) => [`${nameField(field)} ${field.type}`, field])).values()];
}

export function nameField({ place, path }: Field): string {
  return `${place === "body" ? "" : `${place} `}${path.join(".")}` || "body";
}

export function valueAt(request: Request, { place, path }: Field): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null ? (at as Record<string | number, unknown>)[key] : undefined),
    request[place],
  );
}

/** A copy of the request with this value in the field. */
export function withValue(request: Request, { place, path }: Pick<Field, "place" | "path">, value: unknown): Request {
  return { ...request, [place]: changed(request[place], path, value) };
}

function changed(held: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === "number") {
    const [first, ...more] = Array.isArray(held) ? held : [];
    return [changed(first, rest, value), ...more];
  }
  const members = typeof held === "object" && held !== null && !Array.isArray(held) ? held : {};
  return { ...members, [key]: changed((members as Record<string, unknown>)[key], rest, value) };
}
