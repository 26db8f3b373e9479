// Pure: finds the end user of a trace.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { makeStorable, type StorableText } from "@ems/kit/readers";
import { endUserKey } from "@ems/traces-client";

export interface EndUser {
  readonly id: StorableText;
  /** Replaces the id where its length must be fixed, or where it must not be stored. */
  readonly key: string;
}

/** Names of metadata that contain the user, in order of precedence. */
const names = ["user.id", "enduser.id", "userId", "user_id", "user"] as const;

/** Finds the user that a trace's metadata name. */
export function findEndUser(applicationId: string, metadata: JsonObject | readonly JsonValue[]): EndUser | undefined {
  if (!isObject(metadata)) return undefined;
  for (const name of names) {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    const id = name === "user" && isObject(value) ? idText(value.id) : idText(value);
    if (id !== undefined) return { id, key: endUserKey(applicationId, id) };
  }
  return undefined;
}

/** Erasures name the id in its stored form. */
function idText(value: JsonValue | undefined): StorableText | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" ? makeStorable(text) : undefined;
}

function isObject(json: JsonObject | readonly JsonValue[] | JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
