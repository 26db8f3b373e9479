// Pure: the session in a trace's metadata.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { derivedId } from "@ems/kit/id";
import type { StorableJson, StorableObject, StorableText } from "@ems/kit/readers";
import { findId } from "./metadata-id.ts";

type Metadata = StorableObject | StorableJson[];

/** A session of the application's end users, such as a conversation. */
export interface TraceSession {
  /** Id of the session in the application. */
  readonly externalId: StorableText;
  readonly id: string;
}

/** Metadata of the session, and of the id that a framework gave to the conversation. */
export const sessionName = "session.id";
export const conversationName = "gen_ai.conversation.id";

/** Metadata names that contain the session, in order of precedence. */
const sessionNames = [
  sessionName,
  "sessionId",
  "session_id",
  conversationName,
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
  return externalId && readSession(applicationId, externalId);
}

export function readSession(applicationId: string, externalId: StorableText): TraceSession {
  return { externalId, id: sessionId(applicationId, externalId) };
}

/** Returns the id of a session, which is derived from its id in the application. */
export function sessionId(applicationId: string, externalId: string): string {
  return derivedId("session", applicationId, externalId);
}

/** Returns the application's session if the stored one is only the framework's conversation. */
export function ownSession(stored: StorableObject, added: StorableObject): StorableObject[string] | undefined {
  const session = added[sessionName];
  const isOwn = session !== undefined && session !== added[conversationName];
  return isOwn && stored[sessionName] === stored[conversationName] ? session : undefined;
}

/** Returns true if metadata with the application's session arrive at a trace whose session is the framework's conversation. */
export function replacesSession(stored: Metadata, added: Metadata): boolean {
  if (Array.isArray(stored) || Array.isArray(added)) return false;
  return stored[sessionName] !== undefined && ownSession(stored, added) !== undefined;
}
