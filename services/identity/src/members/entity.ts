import { foreignKey, oneOf, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

export type MemberRow = Row<typeof MemberEntity>;

/** Column with the role of a member, which the gateway reads. */
export const roleColumn = oneOf<"OWNER" | "EDITOR" | "REVIEWER" | "VIEWER">("OWNER", "EDITOR", "REVIEWER", "VIEWER");
export type Role = MemberRow["role"];

/** Members: users who may sign in to an application. */
export const MemberEntity = table(
  "identity.member",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    userId: text,
    role: roleColumn,
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    uniques: [{ name: "member_user_key", columns: ["applicationId", "userId"] }],
    indices: [{ name: "member_user", columns: ["orgId", "userId"] }],
    foreignKeys: [
      foreignKey("member_application_fkey", ["orgId", "applicationId"], "application"),
      foreignKey("member_user_fkey", ["orgId", "userId"], "app_user"),
    ],
  },
);

export const memberVersions = rowVersions(MemberEntity);
