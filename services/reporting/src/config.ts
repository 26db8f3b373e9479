import { count, postgresUrl, readConfig, serviceConfig } from "@ems/kit/config";

const shape = {
  ...serviceConfig,
  /** A replica of the database, as reporting's role, for reports to be read from; DATABASE_URL unless given. */
  REPORTING_DATABASE_URL: postgresUrl().optional(),
  /** From so many rows to pass over on, a list is asked first on which day its page begins. */
  DEEP_SKIP_MIN: count().default(200_000),
};

/** Every variable that the process reads. */
export const reportingVariables = Object.keys(shape);

export type ReportingConfig = ReturnType<typeof readConfig<typeof shape>>;

export function reportingConfig(env: Record<string, string | undefined>): ReportingConfig {
  return readConfig(shape, env);
}
