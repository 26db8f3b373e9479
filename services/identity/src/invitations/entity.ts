import { foreignKey, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";
import { roleColumn } from "../members/index.ts";

export type InvitationRow = Row<typeof InvitationEntity>;

/** Invitations for people, who become members when they sign in. */
export const InvitationEntity = table(
  "identity.invitation",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    /** Email address in lower case. */
    email: text,
    role: roleColumn,
    /** ID of the user who invited the person. */
    invitedBy: text,
    createdAt: timestamp,
    expiresAt: timestamp,
  },
  {
    uniques: [{ name: "invitation_email_key", columns: ["applicationId", "email"] }],
    indices: [{ name: "invitation_email", columns: ["email"] }],
    foreignKeys: [foreignKey("invitation_application_fkey", ["orgId", "applicationId"], "application")],
  },
);
