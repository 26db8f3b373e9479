import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import type { ReportingConfig } from "./config.ts";
import type { Deps } from "./deps.ts";
import { getDatasourceColumns } from "./reports/get-datasource-columns.ts";
import { queryDatasourceColumns } from "./reports/query-datasource-columns.ts";
import { queryReport } from "./reports/query-report.ts";
import { reportingSchema } from "./schema.ts";
import { postgresStore } from "./store/postgres.ts";
import { measuredStore } from "./store/telemetry.ts";

/** Reporting: queries over what the other services publish. It changes nothing, so a replica will do. */
export function createReporting(config: ReportingConfig, { log }: ServiceDeps): Promise<Service> {
  const options = { connectionsMax: config.DATABASE_POOL_MAX, deepSkipMin: config.DEEP_SKIP_MIN };
  const DATABASE_URL = config.REPORTING_DATABASE_URL ?? config.DATABASE_URL;
  return openService(reportingSchema, { ...config, DATABASE_URL }, { log }, (database) => {
    const deps: Deps = { store: measuredStore(postgresStore(database, options)) };
    return [
      mount(ReportingService, {
        queryReport: queryReport(deps),
        getDatasourceColumns: getDatasourceColumns(),
        queryDatasourceColumns: queryDatasourceColumns(),
      }),
    ];
  });
}
