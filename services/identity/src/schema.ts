import { baseline, sqlFiles } from "@ems/kit/baseline";
import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { ApiKeyEntity } from "./api-keys/entity.ts";
import { AppConfigEntity } from "./app-config/entity.ts";
import { ApplicationEntity } from "./applications/entity.ts";
import { InvitationEntity } from "./invitations/entity.ts";
import { MemberEntity } from "./members/entity.ts";
import { OrganisationEntity } from "./organisations/entity.ts";
import { SignInEntity } from "./sign-ins/entity.ts";
import { AppUserEntity } from "./users/entity.ts";

/** Identity's schema in the database. */
export const identitySchema: Schema = {
  name: "identity",
  entities: [
    OrganisationEntity,
    AppUserEntity,
    ApplicationEntity,
    ApiKeyEntity,
    AppConfigEntity,
    MemberEntity,
    InvitationEntity,
    SignInEntity,
    outboxEntity("identity"),
    idempotencyEntity("identity"),
  ],
  migrations: [
    baseline({
      schema: "identity",
      files: sqlFiles(import.meta.url, [
        "organisations/schema.sql",
        "users/schema.sql",
        "applications/schema.sql",
        "api-keys/schema.sql",
        "app-config/schema.sql",
        "members/schema.sql",
        "invitations/schema.sql",
        "sign-ins/schema.sql",
      ]),
      searched: [{ table: "app_user", tenant: "org_id", idType: "text", columns: ["name", "email"] }],
      audited: [
        { table: "api_key", secrets: ["digest"] },
        { table: "application" },
        { table: "app_user", resource: "user" },
        { table: "member" },
        { table: "invitation" },
      ],
    }),
  ],
  replaced: { newest: "KeepEtags1765080300000", dump: new URL("../schema.txt", import.meta.url) },
};
