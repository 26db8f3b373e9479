import { foreignKey, nullable, type Row, table, text, timestamp } from "@ems/kit/db/table";

export type AppUserRow = Row<typeof AppUserEntity>;

/** Users. Not called `user`, which is a reserved word in SQL. */
export const AppUserEntity = table(
  "identity.app_user",
  {
    orgId: text,
    id: text,
    name: text,
    email: nullable(text),
    image: nullable(text),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    indices: [{ name: "app_user_created", columns: ["orgId", "createdAt", "id"] }],
    foreignKeys: [foreignKey("app_user_organisation_fkey", ["orgId"], "organisation", ["id"])],
  },
);
