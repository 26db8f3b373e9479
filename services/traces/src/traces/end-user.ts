// Pure: finds out the end user and the session of a trace.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { derivedId } from "@ems/kit/id";
import { isExactNumber } from "@ems/kit/json/exact-number";
import { makeStorable, type StorableText } from "@ems/kit/readers";
import { endUserKey } from "@ems/traces-client";

export interface EndUser {
  readonly id: StorableText;
  /** Key that replaces the id if a fixed length is needed, or if the id must not be stored. */
  readonly key: string;
}

/** A session of the application's end users, such as a conversation. */
export interface TraceSession {
  /** Id of the session in the application. */
  readonly externalId: StorableText;
  readonly id: string;
}

/** Metadata names that contain the user, in order of precedence. */
const userNames = ["user.id", "enduser.id", "userId", "user_id", "user"] as const;

/** Finds the user that the metadata of a trace specifies. */
export function findEndUser(applicationId: string, metadata: JsonObject | readonly JsonValue[]): EndUser | undefined {
  const id = findId(metadata, userNames);
  return id && { id, key: endUserKey(applicationId, id) };
}

/** Metadata names that contain the session, in order of precedence. */
const sessionNames = [
  "session.id",
  "sessionId",
  "session_id",
  "gen_ai.conversation.id",
  "conversationId",
  "conversation_id",
  "threadId",
  "thread_id",
  "session",
] as const;

/** Finds the session that the metadata of a trace specifies. */
export function findSession(
  applicationId: string,
  metadata: JsonObject | readonly JsonValue[],
): TraceSession | undefined {
  const externalId = findId(metadata, sessionNames);
  return externalId && { externalId, id: sessionId(applicationId, externalId) };
}

/** Returns the id of a session, which is derived from its id in the application. */
export function sessionId(applicationId: string, externalId: string): string {
  return derivedId("session", applicationId, externalId);
}

/** Returns the first id under one of the names; the last name may contain an object with an id. */
function findId(metadata: JsonObject | readonly JsonValue[], names: readonly string[]): StorableText | undefined {
  if (!isObject(metadata)) return undefined;
  for (const name of names) {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    const id = isObject(value) ? (name === names.at(-1) ? idText(value.id) : undefined) : idText(value);
    if (id !== undefined) return id;
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
