// Creates the first organization, user, application and API key, because every API call needs a key. Operators run it
// with the owner role.

import { type Clock, monotonicMs } from "@ems/kit/clock";
import { advisoryLocks } from "@ems/kit/db/advisory-locks";
import { ownerDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import { publisher } from "@ems/kit/events/publish";
import type { NewId, Random } from "@ems/kit/id";
import { issueKey } from "./api-keys/index.ts";
import { findOrCreateApplication } from "./applications/index.ts";
import { createOrganisation, findOrganisation } from "./organisations/index.ts";
import { identitySchema } from "./schema.ts";
import { findOrCreateUser, type Person } from "./users/index.ts";

export type { Person } from "./users/index.ts";

export interface BootstrapOptions {
  /** Database URL for the owner role. */
  readonly ownerUrl: string;
  readonly peppers: readonly string[];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  /** Name of the organization, which is created if missing. Default: the oldest organization, or a new one. */
  readonly organisation?: string | undefined;
  /** Title or slug of the application, which is created if missing. Default: the oldest one, or a new one. */
  readonly application?: string | undefined;
  /** Owner of the key, found by email address or else by name, and created if missing. */
  readonly user?: Person | undefined;
  /** True to issue a key even if the application already existed. */
  readonly always: boolean;
  /** Key to issue if the application has no key, so that a Job that runs repeatedly does not restore a deleted key. */
  readonly apiKey?: string | undefined;
}

export interface Bootstrapped {
  readonly orgId: string;
  readonly applicationId: string;
  /** Plaintext of the issued key; undefined if none was issued. */
  readonly apiKey: string | undefined;
}

const timeoutMs = 30_000;

/** Finds or creates organization, user and application; issues a key if the application is new or `always` is set. */
export async function bootstrap(options: BootstrapOptions): Promise<Bootstrapped> {
  const dataSource = ownerDataSource(options.ownerUrl, identitySchema);
  await dataSource.initialize();
  try {
    // Serializes bootstraps, so that the second finds what the first created. Closing the connection releases the lock.
    await dataSource.query("SELECT pg_advisory_lock($1)", [advisoryLocks.bootstrap]);
    const database = new Database(dataSource);
    const deadlineMs = monotonicMs() + timeoutMs;
    const deps = { ...options, publish: publisher(identitySchema.name, options) };
    const found = await database.withScope({}, deadlineMs, (tx) => findOrganisation(tx, options.organisation));
    const orgId = found ?? options.newId();
    return await database.withScope({ orgId }, deadlineMs, async (tx) => {
      if (found === undefined) await createOrganisation(deps, tx, orgId, options.organisation);
      const userId = await findOrCreateUser(deps, tx, orgId, options.user);
      const { id: applicationId, isNew } = await findOrCreateApplication(deps, tx, orgId, options.application);
      if (!isNew && !options.always) return { orgId, applicationId, apiKey: undefined };
      await tx.query("SELECT set_config('ems.application_id', $1, true)", [applicationId]);
      if (options.apiKey !== undefined && (await hasKey(tx, applicationId)))
        return { orgId, applicationId, apiKey: undefined };
      const { key } = await issueKey(
        deps,
        tx,
        { orgId, applicationId, userId },
        {
          name: "bootstrap",
          key: options.apiKey,
        },
      );
      return { orgId, applicationId, apiKey: key };
    });
  } finally {
    await dataSource.destroy();
  }
}

async function hasKey(tx: Transaction, applicationId: string): Promise<boolean> {
  const rows = await tx.query<unknown[]>("SELECT FROM identity.api_key WHERE application_id = $1 LIMIT 1", [
    applicationId,
  ]);
  return rows.length > 0;
}
