import { invalidFields } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import type { Deps } from "../deps.ts";
import { isOrdered, planQuery, present, resultColumns, visualize } from "../query/index.ts";

type Handler = Handlers<typeof ReportingService>["queryReport"];

/** Returns one page of a report. */
export function queryReport({ store }: Deps): Handler {
  return async (request, call) => {
    const { plan, faults } = planQuery(request);
    if (plan === undefined) throw invalidFields(faults);

    const { rows, total, names, unreliable } = await store.run(call, plan);
    const results = present(plan, rows, names);
    const isAnyNegative = ({ id }: { id: string }) => results.some((result) => Number(result[id]) < 0);
    const { compatibleCharts, recommendedChart, fieldMapping } = visualize({
      ...plan,
      measures: plan.measures.filter(isOrdered),
      isAnyNegative,
    });
    return {
      data: {
        datasource: plan.source.id,
        columns: resultColumns(plan),
        results,
        visualization: {
          compatibleCharts: [...compatibleCharts],
          recommendedChart,
          fieldMapping: { ...fieldMapping, measures: [...fieldMapping.measures] },
        },
        unreliableDefinitions: unreliable.map((definition) => ({ ...definition, rows: BigInt(definition.rows) })),
      },
      pagination: {
        skip: BigInt(plan.skip),
        limit: plan.limit,
        total: BigInt(total),
        totalPages: BigInt(Math.ceil(total / plan.limit)),
      },
    };
  };
}
