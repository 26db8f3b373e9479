import { type Archive, openArchive } from "@ems/archive";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { auditLog } from "./audit-log/index.ts";
import type { ReportingConfig } from "./config.ts";
import type { Deps } from "./deps.ts";
import { reports } from "./reports/index.ts";
import { reportingSchema } from "./schema.ts";
import { measuredStore, postgresStore } from "./store/index.ts";

/** Creates the reporting service, which queries views of other services. It is read-only, so a replica can serve it. */
export async function createReporting(config: ReportingConfig, { log, clock }: ServiceDeps): Promise<Service> {
  let archive: Archive | undefined;
  const DATABASE_URL = config.REPORTING_DATABASE_URL ?? config.DATABASE_URL;
  const service = await openService(reportingSchema, { ...config, DATABASE_URL }, { log, clock }, async (database) => {
    archive = await openArchive(config, database, ["experiments"]);
    const options = { connectionsMax: config.DATABASE_POOL_MAX, deepSkipMin: config.DEEP_SKIP_MIN, archive };
    const deps: Deps = { store: measuredStore(postgresStore(database, options)) };
    return [reports(deps), auditLog(database)];
  });
  return {
    ...service,
    close: async () => {
      await service.close();
      await archive?.close();
    },
  };
}
