import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { ApiKeyEntity } from "./api-keys/entity.ts";
import { AppConfigEntity } from "./app-config/entity.ts";
import { ApplicationEntity } from "./applications/entity.ts";
import { CreateIdentity1763712000000 } from "./migrations/1763712000000-create-identity.ts";
import { CreateAppConfig1763721000000 } from "./migrations/1763721000000-create-app-config.ts";
import { CreateIdempotency1763727000000 } from "./migrations/1763727000000-create-idempotency.ts";
import { IndexOutbox1763731000000 } from "./migrations/1763731000000-index-outbox.ts";
import { OwnRelay1763750000000 } from "./migrations/1763750000000-own-relay.ts";
import { CreateSearch1763760000000 } from "./migrations/1763760000000-create-search.ts";
import { FillSearch1763760100000 } from "./migrations/1763760100000-fill-search.ts";
import { ReadKeysByDigests1763780000000 } from "./migrations/1763780000000-read-keys-by-digests.ts";
import { OrganisationEntity } from "./organisations/entity.ts";
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
    outboxEntity("identity"),
    idempotencyEntity("identity"),
  ],
  migrations: [
    CreateIdentity1763712000000,
    CreateAppConfig1763721000000,
    CreateIdempotency1763727000000,
    IndexOutbox1763731000000,
    OwnRelay1763750000000,
    CreateSearch1763760000000,
    FillSearch1763760100000,
    ReadKeysByDigests1763780000000,
  ],
};
