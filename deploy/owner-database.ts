import { backupConfig, bootstrapConfig, ownerConfig } from "./config.ts";
import { databaseAnswers } from "./database-answers.ts";

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

/** The database that OWNER_DATABASE_URL names, as soon as it answers. */
export function migratedDatabase(env: Environment, print: (line: string) => void): OpenOwnerDatabase {
  return async () => {
    const { OWNER_DATABASE_URL: ownerUrl, DATABASE_WAIT_SECONDS: waitSeconds } = ownerConfig(env);
    await databaseAnswers({ variable: "OWNER_DATABASE_URL", url: ownerUrl, waitSeconds, print });
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

/** The database that BACKUP_DATABASE_URL names, as soon as it answers. */
export function configuredBackupDatabase(env: Environment, print: (line: string) => void) {
  return async () => {
    const { BACKUP_DATABASE_URL: url, DATABASE_WAIT_SECONDS: waitSeconds } = backupConfig(env);
    await databaseAnswers({ variable: "BACKUP_DATABASE_URL", url, waitSeconds, print });
    return { url, close };
  };
}

/** The database to restore into, as its owner. */
export function configuredRestoreDatabase(env: Environment, print: (line: string) => void) {
  const open = migratedDatabase(env, print);
  return async () => ({ url: (await open()).ownerUrl, close });
}
