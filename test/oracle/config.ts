import { count, readConfig } from "@ems/kit/config";

const shape = {
  /** Seed of the random cases; a failure prints it. */
  ORACLE_SEED: count().default(20_260_310),
  /** Time zones compared, chosen by the seed; the project `oracle` compares all. */
  ORACLE_ZONES: count().default(60),
  /** Random reports for each time zone; the project `oracle` runs 13. */
  ORACLE_REPORTS: count().default(3),
};

/** `ORACLE_SEED=1 npm test -- --project oracle` tries other cases. */
export const oracleConfig = readConfig(shape, process.env);
