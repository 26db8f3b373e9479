import { type Mount, mount } from "@ems/kit/rpc/service";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import type { Deps } from "../deps.ts";
import { getDatasourceColumns } from "./get-datasource-columns.ts";
import { queryDatasourceColumns } from "./query-datasource-columns.ts";
import { queryReport } from "./query-report.ts";

export const reports = (deps: Deps): Mount =>
  mount(ReportingService, {
    queryReport: queryReport(deps),
    getDatasourceColumns: getDatasourceColumns(),
    queryDatasourceColumns: queryDatasourceColumns(),
  });
