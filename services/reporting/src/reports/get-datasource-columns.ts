import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { findSource, listFilterColumns } from "../sources/index.ts";
import { datasourceColumn } from "./messages.ts";

type Handler = Handlers<typeof ReportingService>["getDatasourceColumns"];

export function getDatasourceColumns(): Handler {
  return async ({ id }) => {
    const source = findSource(id);
    if (source === undefined) throw notFound("Datasource");
    return { data: listFilterColumns(source).map(datasourceColumn) };
  };
}
