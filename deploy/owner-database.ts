import { backupConfig, bootstrapConfig, ownerConfig } from "./config.ts";
import { databaseAnswers } from "./database-answers.ts";

/** Database to migrate or bootstrap. */
export interface OwnerDatabase {
  /** URL with the role that owns the tables. */
  readonly ownerUrl: string;
  /** Peppers that hash API keys; empty except for `bootstrap`. */
  readonly peppers: readonly string[];
  /** First API key, if it was generated beforehand. */
  readonly apiKey?: string | undefined;
  close(): Promise<void>;
}

export type OpenOwnerDatabase = () => Promise<OwnerDatabase>;
type Environment = Readonly<Record<string, string | undefined>>;

const close = async () => undefined;

/** Opens the database of OWNER_DATABASE_URL when it responds. */
export function migratedDatabase(env: Environment, print: (line: string) => void): OpenOwnerDatabase {
  return async () => {
    const { OWNER_DATABASE_URL: ownerUrl, DATABASE_WAIT_SECONDS: waitSeconds } = ownerConfig(env);
    await databaseAnswers({ variable: "OWNER_DATABASE_URL", url: ownerUrl, waitSeconds, print });
    return { ownerUrl, peppers: [], close };
  };
}

/** Opens the database of OWNER_DATABASE_URL, with identity's API_KEY_PEPPERS. */
export function bootstrappedDatabase(env: Environment): OpenOwnerDatabase {
  return async () => {
    const { OWNER_DATABASE_URL: ownerUrl, API_KEY_PEPPERS: peppers, BOOTSTRAP_API_KEY: apiKey } = bootstrapConfig(env);
    return { ownerUrl, peppers, apiKey, close };
  };
}

/** Opens the database of BACKUP_DATABASE_URL when it responds. */
export function configuredBackupDatabase(env: Environment, print: (line: string) => void) {
  return async () => {
    const { BACKUP_DATABASE_URL: url, DATABASE_WAIT_SECONDS: waitSeconds } = backupConfig(env);
    await databaseAnswers({ variable: "BACKUP_DATABASE_URL", url, waitSeconds, print });
    return { url, close };
  };
}

/** Opens the database to restore into, as its owner. */
export function configuredRestoreDatabase(env: Environment, print: (line: string) => void) {
  const open = migratedDatabase(env, print);
  return async () => ({ url: (await open()).ownerUrl, close });
}
