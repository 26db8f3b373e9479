// Pure: whose trace it is, of the application's users.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { makeStorable, type StorableText } from "@ems/kit/readers";
import { endUserKey } from "@ems/traces-client";

export interface EndUser {
  readonly id: StorableText;
  /** Stands for the id where its length must not matter, or where it must not be stored. */
  readonly key: string;
}

/** By which metadata name the user, the first one before the others. */
const names = ["user.id", "enduser.id", "userId", "user_id", "user"] as const;

/** The user whom the metadata of a trace name. */
export function endUserOf(applicationId: string, metadata: JsonObject | readonly JsonValue[]): EndUser | undefined {
  if (!isObject(metadata)) return undefined;
  for (const name of names) {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    const id = name === "user" && isObject(value) ? idText(value.id) : idText(value);
    if (id !== undefined) return { id, key: endUserKey(applicationId, id) };
  }
  return undefined;
}

/** Erasures name the id as it is stored. */
function idText(value: JsonValue | undefined): StorableText | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" ? makeStorable(text) : undefined;
}

function isObject(json: JsonObject | readonly JsonValue[] | JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
