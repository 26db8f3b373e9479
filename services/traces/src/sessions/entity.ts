import { type Row, storableText, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type SessionRow = Row<typeof SessionEntity>;

/** A session that has traces, so that sessions can be listed. Its totals are computed from the traces' rows. */
export const SessionEntity = table(
  "traces.session",
  {
    applicationId: uuid,
    /** Derived from the application and the external id (traces/session.ts). */
    id: uuid,
    orgId: text,
    /** Id of the session in the application. */
    externalId: storableText,
    /** Start of the last trace. */
    lastAt: timestamp,
    createdAt: timestamp,
  },
  {
    indices: [
      { name: "session_created", columns: ["applicationId", "createdAt", "id"] },
      { name: "session_last", columns: ["applicationId", "lastAt", "id"] },
    ],
  },
);
