// The first organisation, application, user and API key: what nobody can make over the API, because every call needs a
// key. Run by operators, as the owner role.

import type { Clock } from "@ems/kit/clock";
import { Database } from "@ems/kit/db/database";
import { ownerDataSource } from "@ems/kit/db/data-source";
import { publisher } from "@ems/kit/events/publish";
import type { NewId, Random } from "@ems/kit/id";
import type { Tenant } from "@ems/kit/tenant";
import type { EntityManager } from "typeorm";
import { ApiKeyEntity } from "./entities/api-key.ts";
import { AppUserEntity } from "./entities/app-user.ts";
import { ApplicationEntity } from "./entities/application.ts";
import { OrganisationEntity } from "./entities/organisation.ts";
import { digestKey, displayPrefix, formKey, keyBytes } from "./key.ts";
import { identitySchema } from "./schema.ts";

export interface BootstrapOptions {
  /** The database as the owner role. */
  readonly ownerUrl: string;
  readonly peppers: readonly string[];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  /** Name of the organisation; made when there is none of that name. */
  readonly organisation: string;
  /** Title of the application; made when the organisation has none of that slug. */
  readonly application: string;
  /** Makes a key even when organisation and application were there already. */
  readonly always: boolean;
}

export interface Bootstrapped {
  readonly orgId: string;
  readonly applicationId: string;
  /** The plaintext of a key that was just made; undefined when none was. */
  readonly apiKey: string | undefined;
}

const deadlineMs = 30_000;

/** Finds or makes organisation, user and application, and makes a key when the application is new or `always`. */
export async function bootstrap(options: BootstrapOptions): Promise<Bootstrapped> {
  const dataSource = ownerDataSource(options.ownerUrl, identitySchema);
  await dataSource.initialize();
  try {
    const database = new Database(dataSource);
    const orgId = await findOrganisation(dataSource.manager, options.organisation);
    const scope = { orgId: orgId ?? options.newId() };
    return await database.withScope(scope, Date.now() + deadlineMs, (manager) =>
      inOrganisation(manager, scope.orgId, orgId === undefined, options),
    );
  } finally {
    await dataSource.destroy();
  }
}

/** Seen by the policy that lets the owner see organisations, and nothing else of anybody. */
async function findOrganisation(manager: EntityManager, name: string): Promise<string | undefined> {
  const row = await manager.findOne(OrganisationEntity, { where: { name }, order: { createdAt: "ASC" } });
  return row?.id;
}

async function inOrganisation(manager: EntityManager, orgId: string, isNew: boolean, options: BootstrapOptions) {
  const { clock, newId, always } = options;
  const now = { createdAt: clock.now(), modifiedAt: clock.now() };
  if (isNew) await manager.insert(OrganisationEntity, { id: orgId, name: options.organisation, ...now });

  const [user] = await manager.find(AppUserEntity, { where: { orgId }, order: { createdAt: "ASC" }, take: 1 });
  const userId = user?.id ?? newId();
  if (user === undefined) await manager.insert(AppUserEntity, { orgId, id: userId, name: "Operator", ...now });

  const slug = slugOf(options.application);
  const found = await manager.findOneBy(ApplicationEntity, { orgId, slug });
  const applicationId = found?.id ?? newId();
  if (found === null) {
    await manager.insert(ApplicationEntity, {
      orgId,
      id: applicationId,
      title: options.application,
      slug,
      description: "",
      context: "",
      type: "CHATBOT",
      environment: "DEV",
      humanAnnotationEnabled: false,
      ...now,
    });
  }
  const apiKey = found === null || always ? await makeKey(manager, { orgId, applicationId, userId }, options) : undefined;
  return { orgId, applicationId, apiKey };
}

async function makeKey(manager: EntityManager, tenant: Tenant, options: BootstrapOptions): Promise<string> {
  const { clock, newId, random, peppers } = options;
  const [id, name, key] = [newId(), "bootstrap", formKey(random(keyBytes))];
  await manager.query("SELECT set_config('ems.application_id', $1, true)", [tenant.applicationId]);
  const digest = digestKey(key, peppers[0] ?? "");
  const row = { ...tenant, id, name, digest, displayPrefix: displayPrefix(key), createdAt: clock.now() };
  await manager.insert(ApiKeyEntity, row);
  await publisher(identitySchema.name, options)(manager, tenant, { case: "apiKeyCreated", value: { id, name } });
  return key;
}

/** "Retail bank: support" → "retail-bank-support". */
function slugOf(title: string): string {
  return title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}
