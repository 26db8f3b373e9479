// The first organisation, application, user and API key: what nobody can make over the API, because every call needs a
// key. Run by operators, as the owner role.

import { formKey, keyBytes } from "@ems/kit/api-key";
import type { Clock } from "@ems/kit/clock";
import { advisoryLocks } from "@ems/kit/db/advisory-locks";
import { ownerDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import { publisher } from "@ems/kit/events/publish";
import type { NewId, Random } from "@ems/kit/id";
import { readValidated } from "@ems/kit/json/read-validated";
import type { Tenant } from "@ems/kit/tenant";
import { CreateUserRequestSchema } from "@ems/proto/identity/v1/user_service";
import { Raw } from "typeorm";
import { ApiKeyEntity, digestKey, displayPrefix } from "./api-keys/index.ts";
import { ApplicationEntity, slugOf } from "./applications/index.ts";
import { OrganisationEntity } from "./organisations/entity.ts";
import { identitySchema } from "./schema.ts";
import { AppUserEntity } from "./users/index.ts";

export interface Person {
  readonly name: string;
  readonly email?: string | undefined;
}

export interface BootstrapOptions {
  /** The database as the owner role. */
  readonly ownerUrl: string;
  readonly peppers: readonly string[];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  /** Name of the organisation, made when there is none of that name; undefined takes the oldest, or makes a first one. */
  readonly organisation?: string | undefined;
  /** Title or slug of the application; likewise, in that organisation. */
  readonly application?: string | undefined;
  /** Who is to own the key; likewise, found by e-mail address or else by name. Undefined takes the oldest person. */
  readonly user?: Person | undefined;
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
const firstUser = { name: "Operator" };

/** Finds or makes organisation, user and application, and makes a key when the application is new or `always`. */
export async function bootstrap(options: BootstrapOptions): Promise<Bootstrapped> {
  const dataSource = ownerDataSource(options.ownerUrl, identitySchema);
  await dataSource.initialize();
  try {
    // One at a time, so that two which begin together find what the other made. The lock ends with the only connection.
    await dataSource.query("SELECT pg_advisory_lock($1)", [advisoryLocks.bootstrap]);
    const database = new Database(dataSource);
    const untilMs = Date.now() + deadlineMs;
    const found = await database.withScope({}, untilMs, (tx) => findOrganisation(tx, options.organisation));
    const orgId = found ?? options.newId();
    return await database.withScope({ orgId }, untilMs, async (tx) => {
      if (found === undefined) await makeOrganisation(tx, orgId, options);
      const userId = await findOrMakeUser(tx, orgId, options);
      const { applicationId, isNew } = await findOrMakeApplication(tx, orgId, options);
      const tenant = { orgId, applicationId, userId };
      const apiKey = isNew || options.always ? await makeKey(tx, tenant, options) : undefined;
      return { orgId, applicationId, apiKey };
    });
  } finally {
    await dataSource.destroy();
  }
}

/** Seen by the policy that lets the owner see organisations, and nothing else of anybody. */
async function findOrganisation(tx: Transaction, name: string | undefined): Promise<string | undefined> {
  const where = name === undefined ? {} : { name };
  const [row] = await tx.find(OrganisationEntity, where, { orderBy: { createdAt: "ASC" }, limit: 1 });
  return row?.id;
}

async function makeOrganisation(tx: Transaction, id: string, { organisation, clock }: BootstrapOptions) {
  const [createdAt, modifiedAt] = [clock.now(), clock.now()];
  await tx.insert(OrganisationEntity, { id, name: organisation ?? firstOrganisation, createdAt, modifiedAt });
}

async function findOrMakeUser(
  tx: Transaction,
  orgId: string,
  { user, clock, newId }: BootstrapOptions,
): Promise<string> {
  const where = { orgId, ...(user && whoIs(user)) };
  const [found] = await tx.find(AppUserEntity, where, { orderBy: { createdAt: "ASC", id: "ASC" }, limit: 1 });
  if (found !== undefined) return found.id;
  const [id, createdAt, modifiedAt] = [newId(), clock.now(), clock.now()];
  await tx.insert(AppUserEntity, { orgId, id, ...(user ? checked(user) : firstUser), createdAt, modifiedAt });
  return id;
}

/** An address is one person's, however it is spelled; a name is all there is to go by without one. */
function whoIs({ name, email }: Person) {
  if (email === undefined) return { name };
  return { email: Raw((column) => `lower(${column}) = lower(:email)`, { email }) };
}

/** Held to the rules of CreateUser. */
function checked({ name, email }: Person) {
  const person = email === undefined ? { name } : { name, email };
  const [issue] = readValidated(CreateUserRequestSchema, person).issues;
  if (issue !== undefined) throw new Error(`The user's ${issue.path.join(".")}: ${issue.message}`);
  return person;
}

async function findOrMakeApplication(tx: Transaction, orgId: string, options: BootstrapOptions) {
  const where = options.application === undefined ? { orgId } : { orgId, ...whichIs(options.application) };
  const [found] = await tx.find(ApplicationEntity, where, { orderBy: { createdAt: "ASC" }, limit: 1 });
  if (found !== undefined) return { applicationId: found.id, isNew: false };
  const title = options.application ?? firstApplication;
  const [id, createdAt, modifiedAt] = [options.newId(), options.clock.now(), options.clock.now()];
  await tx.insert(ApplicationEntity, {
    orgId,
    id,
    title,
    slug: slugOf(title) || id,
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

/** Titles that make no slug are found as they are. */
function whichIs(title: string): { slug: string } | { title: string } {
  const slug = slugOf(title);
  return slug === "" ? { title } : { slug };
}

async function makeKey(tx: Transaction, tenant: Tenant, options: BootstrapOptions): Promise<string> {
  const { clock, newId, random, peppers } = options;
  const [id, name, key] = [newId(), "bootstrap", formKey(random(keyBytes))];
  await tx.query("SELECT set_config('ems.application_id', $1, true)", [tenant.applicationId]);
  const digest = digestKey(key, peppers[0] ?? "");
  const row = { ...tenant, id, name, digest, displayPrefix: displayPrefix(key), createdAt: clock.now() };
  await tx.insert(ApiKeyEntity, row);
  await publisher(identitySchema.name, options)(tx, tenant, { case: "apiKeyCreated", value: { id, name } });
  return key;
}
