import type { Logger } from "typeorm";

const ignore = () => undefined;

/**
 * Replaces TypeORM's logger, which writes to stdout regardless of its options. Writes only the name of a failed
 * migration, to stderr; query errors are thrown.
 */
export const typeormLog: Logger = {
  logMigration: (message) => process.stderr.write(`${message}\n`),
  logQuery: ignore,
  logQueryError: ignore,
  logQuerySlow: ignore,
  logSchemaBuild: ignore,
  log: ignore,
};
