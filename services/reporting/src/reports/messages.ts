// Plans and answers as messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DatasourceColumnSchema, ReportPaginationSchema } from "@ems/proto/reporting/v1/reporting_service";
import { dateTruncs } from "../query/dates.ts";
import type { Plan } from "../query/plan.ts";
import { operatorsOf } from "../query/plan-filters.ts";
import { isMeasurable, measureTypes } from "../query/plan-groups.ts";
import type { Column } from "../sources/source.ts";

/** A column, and what can be asked of it. */
export function datasourceColumn(column: Column): MessageInitShape<typeof DatasourceColumnSchema> {
  const { id, name, type, reference, values = [] } = column;
  return {
    id,
    name,
    type,
    isReference: reference !== undefined,
    values: [...values],
    operators: [...operatorsOf[type]],
    dateTruncs: type === "date" ? [...dateTruncs] : [],
    measurements: isMeasurable(column) ? measureTypes.filter((measure) => measure !== "count") : [],
  };
}

export function pagination({ skip, limit }: Plan, total: number): MessageInitShape<typeof ReportPaginationSchema> {
  return { skip: BigInt(skip), limit, total: BigInt(total), totalPages: BigInt(Math.ceil(total / limit)) };
}
