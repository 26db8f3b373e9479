// The first organisation, application, user and API key: what nobody can make over the API, because every call needs a
// key. Run by operators, as the owner role.

import type { Clock } from "@ems/kit/clock";
import { ownerDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
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
  /** Name of the organisation, made when there is none of that name; undefined takes the oldest, or makes a first one. */
  readonly organisation?: string | undefined;
  /** Title of the application; likewise, in that organisation. */
  readonly application?: string | undefined;
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
const firstOrganisation = "Demo organisation";
const firstApplication = "Demo application";

/** Finds or makes organisation, user and application, and makes a key when the application is new or `always`. */
export async function bootstrap(options: BootstrapOptions): Promise<Bootstrapped> {
  const dataSource = ownerDataSource(options.ownerUrl, identitySchema);
  await dataSource.initialize();
  try {
    const found = await findOrganisation(dataSource.manager, options.organisation);
    const orgId = found ?? options.newId();
    return await new Database(dataSource).withScope({ orgId }, Date.now() + deadlineMs, async (manager) => {
      if (found === undefined) await makeOrganisation(manager, orgId, options);
      const userId = await findOrMakeUser(manager, orgId, options);
      const { applicationId, isNew } = await findOrMakeApplication(manager, orgId, options);
      const tenant = { orgId, applicationId, userId };
      const apiKey = isNew || options.always ? await makeKey(manager, tenant, options) : undefined;
      return { orgId, applicationId, apiKey };
    });
  } finally {
    await dataSource.destroy();
  }
}

/** Seen by the policy that lets the owner see organisations, and nothing else of anybody. */
async function findOrganisation(manager: EntityManager, name: string | undefined): Promise<string | undefined> {
  const where = name === undefined ? {} : { name };
  const [row] = await manager.find(OrganisationEntity, { where, order: { createdAt: "ASC" }, take: 1 });
  return row?.id;
}

async function makeOrganisation(manager: EntityManager, id: string, { organisation, clock }: BootstrapOptions) {
  const [createdAt, modifiedAt] = [clock.now(), clock.now()];
  await manager.insert(OrganisationEntity, { id, name: organisation ?? firstOrganisation, createdAt, modifiedAt });
}

async function findOrMakeUser(
  manager: EntityManager,
  orgId: string,
  { clock, newId }: BootstrapOptions,
): Promise<string> {
  const [found] = await manager.find(AppUserEntity, { where: { orgId }, order: { createdAt: "ASC" }, take: 1 });
  if (found !== undefined) return found.id;
  const [id, createdAt, modifiedAt] = [newId(), clock.now(), clock.now()];
  await manager.insert(AppUserEntity, { orgId, id, name: "Operator", createdAt, modifiedAt });
  return id;
}

async function findOrMakeApplication(manager: EntityManager, orgId: string, options: BootstrapOptions) {
  const where = options.application === undefined ? { orgId } : { orgId, slug: slugOf(options.application) };
  const [found] = await manager.find(ApplicationEntity, { where, order: { createdAt: "ASC" }, take: 1 });
  if (found !== undefined) return { applicationId: found.id, isNew: false };
  const title = options.application ?? firstApplication;
  const [id, createdAt, modifiedAt] = [options.newId(), options.clock.now(), options.clock.now()];
  await manager.insert(ApplicationEntity, {
    orgId,
    id,
    title,
    slug: slugOf(title),
    description: "",
    context: "",
    type: "CHATBOT",
    environment: "DEV",
    humanAnnotationEnabled: false,
    createdAt,
    modifiedAt,
  });
  return { applicationId: id, isNew: true };
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
