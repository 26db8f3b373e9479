import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import {
  binaryOutbox,
  createAudit,
  createIdempotency,
  createRetention,
  createSearch,
  indexOutbox,
  keepEtags,
  ownRelay,
} from "@ems/kit/db/shared-migrations";
import { outboxEntity } from "@ems/kit/events/outbox";
import { ApiKeyEntity } from "./api-keys/entity.ts";
import { AppConfigEntity } from "./app-config/entity.ts";
import { ApplicationEntity } from "./applications/entity.ts";
import { InvitationEntity } from "./invitations/entity.ts";
import { MemberEntity } from "./members/entity.ts";
import { CreateIdentity1763712000000 } from "./migrations/1763712000000-create-identity.ts";
import { CreateAppConfig1763721000000 } from "./migrations/1763721000000-create-app-config.ts";
import { ReadKeysByDigests1763780000000 } from "./migrations/1763780000000-read-keys-by-digests.ts";
import { RequireLanguages1763805000000 } from "./migrations/1763805000000-require-languages.ts";
import { FindTenants1763809700000 } from "./migrations/1763809700000-find-tenants.ts";
import { ScopeKeys1765000600000 } from "./migrations/1765000600000-scope-keys.ts";
import { CreateMembers1765000700000 } from "./migrations/1765000700000-create-members.ts";
import { OrganisationEntity } from "./organisations/entity.ts";
import { SignInEntity } from "./sign-ins/entity.ts";
import { AppUserEntity } from "./users/entity.ts";

/** Identity's part of the database. */
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
    CreateIdentity1763712000000,
    CreateAppConfig1763721000000,
    createIdempotency("identity"),
    indexOutbox("identity"),
    ownRelay("identity"),
    ...createSearch([
      { schema: "identity", table: "app_user", tenant: "org_id", idType: "text", columns: ["name", "email"] },
    ]),
    ReadKeysByDigests1763780000000,
    RequireLanguages1763805000000,
    binaryOutbox("identity"),
    FindTenants1763809700000,
    ScopeKeys1765000600000,
    createAudit("identity", [
      { table: "api_key", secrets: ["digest"] },
      { table: "application" },
      { table: "app_user", resource: "user" },
    ]),
    CreateMembers1765000700000,
    createRetention("identity"),
    keepEtags("identity"),
  ],
};
