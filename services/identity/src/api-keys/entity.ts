import { bytes, foreignKey, nullable, table, text, texts, timestamp, uuid, withDefault } from "@ems/kit/db/table";

export const ApiKeyEntity = table(
  "identity.api_key",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    /** The key's owner. */
    userId: text,
    name: text,
    /** HMAC of the key; the key itself is stored nowhere. */
    digest: bytes,
    displayPrefix: text,
    createdAt: timestamp,
    /** To the minute. */
    lastUsedAt: nullable(timestamp),
    /** What the key may do; everything when empty. */
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
