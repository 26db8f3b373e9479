import { bootstrapConfig, ownerConfig } from "./config.ts";

/** A database to migrate or bootstrap. */
export interface OwnerDatabase {
  /** As the role that owns the tables. */
  readonly ownerUrl: string;
  /** API keys are hashed with them; only `bootstrap` needs any. */
  readonly peppers: readonly string[];
  close(): Promise<void>;
}

export type OpenOwnerDatabase = () => Promise<OwnerDatabase>;
type Environment = Readonly<Record<string, string | undefined>>;

const close = async () => undefined;

/** The database that OWNER_DATABASE_URL names. */
export function migratedDatabase(env: Environment): OpenOwnerDatabase {
  return async () => ({ ownerUrl: ownerConfig(env).OWNER_DATABASE_URL, peppers: [], close });
}

/** The same, with the API_KEY_PEPPERS of identity. */
export function bootstrappedDatabase(env: Environment): OpenOwnerDatabase {
  return async () => {
    const { OWNER_DATABASE_URL: ownerUrl, API_KEY_PEPPERS: peppers } = bootstrapConfig(env);
    return { ownerUrl, peppers, close };
  };
}
