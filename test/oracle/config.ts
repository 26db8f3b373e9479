import { count, readConfig } from "@ems/kit/config";

const shape = {
  /** Where chance begins; a failure tells the seed that it came of. */
  ORACLE_SEED: count().default(20_260_310),
  /** Random reports for each time zone. */
  ORACLE_REPORTS: count().default(13),
};

/** How the oracle's tests run; `ORACLE_SEED=1 npm test -- --project unit test/oracle` tries other cases. */
export const oracleConfig = readConfig(shape, process.env);
