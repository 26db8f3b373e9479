import { bytes, foreignKey, nullable, table, text, texts, timestamp, uuid, withDefault } from "@ems/kit/db/table";

export const ApiKeyEntity = table(
  "identity.api_key",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    /** Owner of the key. */
    userId: text,
    name: text,
    /** HMAC of the key, whose plaintext is not stored. */
    digest: bytes,
    displayPrefix: text,
    createdAt: timestamp,
    /** Time of the last use, precise to the minute. */
    lastUsedAt: nullable(timestamp),
    /** Permissions of the key; empty means all permissions. */
    scopes: withDefault(texts, []),
    expiresAt: nullable(timestamp),
  },
  {
    uniques: [{ name: "api_key_digest_key", columns: ["digest"] }],
    foreignKeys: [
      foreignKey("api_key_application_fkey", ["orgId", "applicationId"], "application"),
      foreignKey("api_key_user_fkey", ["orgId", "userId"], "app_user"),
    ],
  },
);
