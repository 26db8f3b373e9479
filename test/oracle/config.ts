import { count, readConfig } from "@ems/kit/config";

const shape = {
  /** Seed of the random cases; a failure prints it. */
  ORACLE_SEED: count().default(20_260_310),
  /** Number of time zones, chosen by the seed; `npm run nightly` compares all. */
  ORACLE_ZONES: count().default(60),
  /** Number of random reports per time zone; `npm run nightly` runs 13. */
  ORACLE_REPORTS: count().default(3),
};

/** Settings; `ORACLE_SEED=1 npm test -- --project unit test/oracle` tries other cases. */
export const oracleConfig = readConfig(shape, process.env);
