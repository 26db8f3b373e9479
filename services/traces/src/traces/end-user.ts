// Pure: finds out the end user of a trace.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isExactNumber } from "@ems/kit/json/exact-number";
import { makeStorable, type StorableText } from "@ems/kit/readers";
import { endUserKey } from "@ems/traces-client";

export interface EndUser {
  readonly id: StorableText;
  /** Key that replaces the id if a fixed length is needed, or if the id must not be stored. */
  readonly key: string;
}

/** Metadata names that contain the user, in order of precedence. */
const names = ["user.id", "enduser.id", "userId", "user_id", "user"] as const;

/** Finds the user that the metadata of a trace specifies. */
export function findEndUser(applicationId: string, metadata: JsonObject | readonly JsonValue[]): EndUser | undefined {
  if (!isObject(metadata)) return undefined;
  for (const name of names) {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    const id = name === "user" && isObject(value) ? idText(value.id) : idText(value);
    if (id !== undefined) return { id, key: endUserKey(applicationId, id) };
  }
  return undefined;
}

/** Returns the id in its storable form, in which erasures specify it. */
function idText(value: JsonValue | undefined): StorableText | undefined {
  // An exact number is written with its digits.
  const text = typeof value === "number" || isExactNumber(value) ? JSON.stringify(value) : value;
  return typeof text === "string" && text !== "" ? makeStorable(text) : undefined;
}

function isObject(json: JsonObject | readonly JsonValue[] | JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json) && !isExactNumber(json);
}
