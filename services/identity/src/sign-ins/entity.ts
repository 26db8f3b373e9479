import { foreignKey, table, text, timestamp } from "@ems/kit/db/table";

/**
 * Identities of users at OpenID Connect providers. Each belongs to one person permanently; addresses are reassigned.
 */
export const SignInEntity = table(
  "identity.sign_in",
  {
    orgId: text,
    issuer: text,
    subject: text,
    userId: text,
    createdAt: timestamp,
  },
  {
    primaryKey: ["orgId", "issuer", "subject"],
    uniques: [{ name: "sign_in_user_key", columns: ["orgId", "userId"] }],
    indices: [{ name: "sign_in_subject", columns: ["subject", "issuer"] }],
    foreignKeys: [foreignKey("sign_in_user_fkey", ["orgId", "userId"], "app_user")],
  },
);
