import type { Logger } from "typeorm";

const ignore = () => undefined;

/**
 * Replaces TypeORM's logger, which writes to stdout whatever its options are. Only the name of a failed migration is
 * written, to stderr: errors of queries are thrown.
 */
export const typeormLog: Logger = {
  logMigration: (message) => process.stderr.write(`${message}\n`),
  logQuery: ignore,
  logQueryError: ignore,
  logQuerySlow: ignore,
  logSchemaBuild: ignore,
  log: ignore,
};
