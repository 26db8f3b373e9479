import { backupConfig, bootstrapConfig, ownerConfig } from "./config.ts";
import { databaseAnswers } from "./database-answers.ts";

/** Database to migrate or bootstrap. */
export interface OwnerDatabase {
  /** URL with the role that owns the tables. */
  readonly ownerUrl: string;
  /** Peppers with which API keys are hashed; empty for commands other than `bootstrap`. */
  readonly peppers: readonly string[];
  /** API key for `bootstrap` to issue, if it was generated beforehand. */
  readonly apiKey?: string | undefined;
  close(): Promise<void>;
}

export type OpenOwnerDatabase = () => Promise<OwnerDatabase>;
type Environment = Readonly<Record<string, string | undefined>>;

const close = async () => undefined;

/** Returns a function that waits until the database in OWNER_DATABASE_URL responds, and opens it. */
export function migratedDatabase(env: Environment, print: (line: string) => void): OpenOwnerDatabase {
  return async () => {
    const { OWNER_DATABASE_URL: ownerUrl, DATABASE_WAIT_SECONDS: waitSeconds } = ownerConfig(env);
    await databaseAnswers({ variable: "OWNER_DATABASE_URL", url: ownerUrl, waitSeconds, print });
    return { ownerUrl, peppers: [], close };
  };
}

/** Returns a function that opens the database in OWNER_DATABASE_URL, with identity's API_KEY_PEPPERS. */
export function bootstrappedDatabase(env: Environment): OpenOwnerDatabase {
  return async () => {
    const { OWNER_DATABASE_URL: ownerUrl, API_KEY_PEPPERS: peppers, BOOTSTRAP_API_KEY: apiKey } = bootstrapConfig(env);
    return { ownerUrl, peppers, apiKey, close };
  };
}

/** Returns a function that waits until the database in BACKUP_DATABASE_URL responds, and opens it. */
export function configuredBackupDatabase(env: Environment, print: (line: string) => void) {
  return async () => {
    const { BACKUP_DATABASE_URL: url, DATABASE_WAIT_SECONDS: waitSeconds } = backupConfig(env);
    await databaseAnswers({ variable: "BACKUP_DATABASE_URL", url, waitSeconds, print });
    return { url, close };
  };
}

/** Returns a function that opens the database to restore into, with the owner's role. */
export function configuredRestoreDatabase(env: Environment, print: (line: string) => void) {
  const open = migratedDatabase(env, print);
  return async () => ({ url: (await open()).ownerUrl, close });
}
