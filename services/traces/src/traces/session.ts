// Pure: the session in a trace's metadata.

import type { StorableObject } from "@ems/kit/readers";

/** Metadata of the session, and of the id that a framework gave to the conversation. */
export const sessionName = "session.id";
export const conversationName = "gen_ai.conversation.id";

/** Returns the application's session if the stored one is only the framework's conversation. */
export function ownSession(stored: StorableObject, added: StorableObject): StorableObject[string] | undefined {
  const session = added[sessionName];
  const isOwn = session !== undefined && session !== added[conversationName];
  return isOwn && stored[sessionName] === stored[conversationName] ? session : undefined;
}
