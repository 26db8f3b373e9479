import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Fault, invalidFields, notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DatasourceColumnSchema, ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { planShape, type Shape } from "../query/plan.ts";
import { termsOf } from "../query/plan-order.ts";
import { shownMeasure } from "../query/present.ts";
import { findSource } from "../sources/index.ts";
import { datasourceColumn } from "./messages.ts";

type Handler = Handlers<typeof ReportingService>["queryDatasourceColumns"];
type Message = MessageInitShape<typeof DatasourceColumnSchema>;

/** What the report builder of a page offers next. */
export function queryDatasourceColumns(): Handler {
  return async (request) => {
    const source = findSource(request.id);
    if (source === undefined) throw notFound("Datasource");
    const faults: Fault[] = [];
    const shape = planShape(request, source, faults);
    if (shape === undefined || faults.length > 0) throw invalidFields(faults);
    return { data: choices(request.intent, shape) };
  };
}

/** The most columns that a report is grouped by; the contract's rule of `group_by` says it too. */
const groupsMax = 3;

function choices(intent: string, shape: Shape): Message[] {
  const { source, groups } = shape;
  switch (intent) {
    case "groupBy": {
      const isOpen = source.columns.filter((column) => !groups.some((group) => group.column === column));
      return groups.length < groupsMax ? isOpen.map(datasourceColumn) : [];
    }
    case "measurements":
      return source.columns.map((column) => untaken(column.id, datasourceColumn(column), shape)).filter(isMeasured);
    case "orderBy":
      return [...termsOf(shape).values()].map((term) => {
        if ("measure" in term) return shownMeasure(term.measure);
        return datasourceColumn("group" in term ? term.group.column : term.column);
      });
    default:
      return source.columns.map(datasourceColumn);
  }
}

/** The column with those of its measurements that the query does not have yet. */
function untaken(id: string, column: Message, { measures }: Shape): Message {
  const taken = measures.filter((measure) => measure.column?.id === id).map(({ type }): string => type);
  return { ...column, measurements: column.measurements?.filter((type) => !taken.includes(type)) ?? [] };
}

function isMeasured({ measurements = [] }: Message): boolean {
  return measurements.length > 0;
}
