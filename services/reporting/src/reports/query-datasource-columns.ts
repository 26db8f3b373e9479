import type { MessageInitShape } from "@bufbuild/protobuf";
import { type FieldViolation, invalidFields, notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DatasourceColumnSchema, ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { listTerms, measureColumn, planShape, type Shape } from "../query/index.ts";
import { findSource, listFilterColumns } from "../sources/index.ts";
import { datasourceColumn } from "./messages.ts";

type Handler = Handlers<typeof ReportingService>["queryDatasourceColumns"];
type Message = MessageInitShape<typeof DatasourceColumnSchema>;

/** Returns the columns that a report builder should offer next, for the query so far and its intent. */
export function queryDatasourceColumns(): Handler {
  return async (request) => {
    const source = findSource(request.id);
    if (source === undefined) throw notFound("Datasource");
    const faults: FieldViolation[] = [];
    const shape = planShape(request, source, faults);
    if (shape === undefined || faults.length > 0) throw invalidFields(faults);
    return { data: choices(request.intent, shape) };
  };
}

/** The same limit as for `group_by` in the API. */
const groupsMax = 3;

function choices(intent: string, shape: Shape): Message[] {
  const { source, groupings } = shape;
  switch (intent) {
    case "groupBy": {
      const unused = source.columns.filter((column) => !groupings.some((grouping) => grouping.column === column));
      return groupings.length < groupsMax ? unused.map(datasourceColumn) : [];
    }
    case "measurements":
      return source.columns
        .map((column) => withoutMeasured(column.id, datasourceColumn(column), shape))
        .filter(hasMeasurements);
    case "orderBy":
      return [...listTerms(shape).values()].map((term) => {
        if ("measure" in term) return measureColumn(term.measure);
        return datasourceColumn("grouping" in term ? term.grouping.column : term.column);
      });
    default:
      return listFilterColumns(source).map(datasourceColumn);
  }
}

/** Returns the column without those measurements that the query already contains. */
function withoutMeasured(id: string, column: Message, { measures }: Shape): Message {
  const present = measures.filter((measure) => measure.column?.id === id).map(({ type }): string => type);
  return { ...column, measurements: column.measurements?.filter((type) => !present.includes(type)) ?? [] };
}

function hasMeasurements({ measurements = [] }: Message): boolean {
  return measurements.length > 0;
}
