import { EntitySchema } from "typeorm";

export interface ApiKeyRow {
  applicationId: string;
  id: string;
  orgId: string;
  /** The key's owner. */
  userId: string;
  name: string;
  /** HMAC of the key; the key itself is stored nowhere. */
  digest: Buffer;
  displayPrefix: string;
  createdAt: Date;
  /** To the minute. */
  lastUsedAt: Date | null;
}

export const ApiKeyEntity = new EntitySchema<ApiKeyRow>({
  name: "ApiKey",
  tableName: "api_key",
  schema: "identity",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "api_key_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "api_key_pkey" },
    orgId: { type: "text", name: "org_id" },
    userId: { type: "text", name: "user_id" },
    name: { type: "text" },
    digest: { type: "bytea" },
    displayPrefix: { type: "text", name: "display_prefix" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    lastUsedAt: { type: "timestamptz", name: "last_used_at", precision: 3, nullable: true },
  },
  uniques: [{ name: "api_key_digest_key", columns: ["digest"] }],
  foreignKeys: [
    {
      name: "api_key_application_fkey",
      target: "Application",
      columnNames: ["orgId", "applicationId"],
      referencedColumnNames: ["orgId", "id"],
    },
    {
      name: "api_key_user_fkey",
      target: "AppUser",
      columnNames: ["orgId", "userId"],
      referencedColumnNames: ["orgId", "id"],
    },
  ],
});
