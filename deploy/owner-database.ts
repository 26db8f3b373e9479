import { waitForDatabase } from "@ems/kit/db/wait-for-database";
import { bootstrapConfig, ownerConfig } from "./config.ts";
import { databaseFailure, reasonOf } from "./database-failure.ts";

/** A database to migrate or bootstrap. */
export interface OwnerDatabase {
  /** As the role that owns the tables. */
  readonly ownerUrl: string;
  /** API keys are hashed with them; only `bootstrap` needs any. */
  readonly peppers: readonly string[];
  /** The first key, where it is chosen before. */
  readonly apiKey?: string | undefined;
  close(): Promise<void>;
}

export type OpenOwnerDatabase = () => Promise<OwnerDatabase>;
type Environment = Readonly<Record<string, string | undefined>>;

const close = async () => undefined;

/** The database that OWNER_DATABASE_URL names, as soon as it answers: in a cluster both may start at the same time. */
export function migratedDatabase(env: Environment, print: (line: string) => void): OpenOwnerDatabase {
  return async () => {
    const { OWNER_DATABASE_URL: ownerUrl, DATABASE_WAIT_SECONDS: seconds } = ownerConfig(env);
    await waitForDatabase(ownerUrl, {
      waitMs: seconds * 1_000,
      onWaiting: (reason) => print(`Waiting up to ${seconds} s for PostgreSQL: ${reasonOf(reason)}`),
    }).catch((error: unknown) => {
      throw databaseFailure("OWNER_DATABASE_URL", ownerUrl, error);
    });
    return { ownerUrl, peppers: [], close };
  };
}

/** The same, with the API_KEY_PEPPERS of identity. */
export function bootstrappedDatabase(env: Environment): OpenOwnerDatabase {
  return async () => {
    const { OWNER_DATABASE_URL: ownerUrl, API_KEY_PEPPERS: peppers, BOOTSTRAP_API_KEY: apiKey } = bootstrapConfig(env);
    return { ownerUrl, peppers, apiKey, close };
  };
}
