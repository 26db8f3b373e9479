// Pure: decides the session and the end user of a stored trace by the application's paths.

import type { StorableText } from "@ems/kit/readers";
import {
  findEndUser,
  findSession,
  pinnedSession,
  pinnedUser,
  readEndUser,
  readSession,
  type TraceRow,
} from "../traces/index.ts";

export type IdColumns = Pick<TraceRow, "session" | "sessionId" | "endUser" | "endUserKey" | "pinned">;
type Row = IdColumns & Pick<TraceRow, "id" | "applicationId" | "metadata">;

/** Ids that the paths find in the stored steps; undefined for none. */
export interface FoundIds {
  readonly session: StorableText | undefined;
  readonly user: StorableText | undefined;
}

export interface Reread {
  readonly columns: IdColumns;
  readonly isSessionChanged: boolean;
  readonly isUserChanged: boolean;
  /** True if an id stays because the new one is redacted, so that its key is not known. */
  readonly isRedacted: boolean;
}

export function rereadIds(row: Row, found: FoundIds, isRedacted: (id: string) => boolean): Reread {
  const { applicationId, metadata } = row;
  const session = chooseId(
    row.pinned & pinnedSession,
    found.session,
    () => findSession(applicationId, metadata)?.externalId,
  );
  const user = chooseId(row.pinned & pinnedUser, found.user, () => findEndUser(applicationId, metadata)?.id);
  const redacted = [session, user].map((choice) => typeof choice?.id === "string" && isRedacted(choice.id));
  const columns = { ...pick(row) };
  if (session !== undefined && redacted[0] !== true) {
    const chosen = session.id === null ? undefined : readSession(applicationId, session.id);
    Object.assign(columns, { session: chosen?.externalId ?? null, sessionId: chosen?.id ?? null });
    columns.pinned = session.isOwn ? columns.pinned | pinnedSession : columns.pinned & ~pinnedSession;
  }
  if (user !== undefined && redacted[1] !== true) {
    const chosen = user.id === null ? undefined : readEndUser(applicationId, user.id);
    Object.assign(columns, { endUser: chosen?.id ?? null, endUserKey: chosen?.key ?? null });
    columns.pinned = user.isOwn ? columns.pinned | pinnedUser : columns.pinned & ~pinnedUser;
  }
  return {
    columns,
    isSessionChanged: columns.sessionId !== row.sessionId,
    isUserChanged: columns.endUserKey !== row.endUserKey,
    isRedacted: redacted.includes(true),
  };
}

interface Choice {
  readonly id: StorableText | null;
  /** True for an id that a path found. */
  readonly isOwn: boolean;
}

/** Returns the id to set; undefined to leave the stored one. */
function chooseId(
  pinned: number,
  found: StorableText | undefined,
  fromMetadata: () => StorableText | undefined,
): Choice | undefined {
  if (found !== undefined) return { id: found, isOwn: true };
  return pinned === 0 ? undefined : { id: fromMetadata() ?? null, isOwn: false };
}

function pick({ session, sessionId, endUser, endUserKey, pinned }: Row): {
  -readonly [Name in keyof IdColumns]: IdColumns[Name];
} {
  return { session, sessionId, endUser, endUserKey, pinned };
}
