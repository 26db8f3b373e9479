import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DatasourceColumnSchema } from "@ems/proto/reporting/v1/reporting_service";
import { dateTruncs, listMeasureTypes, operatorsByType } from "../query/index.ts";
import type { Column } from "../sources/index.ts";

/** Returns a column with the operators, units and aggregates that a query may use. */
export function datasourceColumn(column: Column): MessageInitShape<typeof DatasourceColumnSchema> {
  const { id, name, type, reference, values = [] } = column;
  return {
    id,
    name,
    type,
    isReference: reference !== undefined,
    values: [...values],
    operators: [...operatorsByType[type]],
    dateTruncs: type === "date" ? [...dateTruncs] : [],
    measurements: listMeasureTypes(column),
    isFilterOnly: "membership" in column || "select" in column,
  };
}
