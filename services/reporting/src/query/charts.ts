// The charts of a result follow from the number and kind of its columns; only pies depend on values.

import type { Grouping, Measure } from "./plan.ts";

export type Chart = "table" | "number" | "bar" | "line" | "area" | "pie" | "heatmap";

export interface Visualization {
  /** The best one first. */
  readonly compatibleCharts: readonly Chart[];
  readonly recommendedChart: Chart;
  readonly fieldMapping: { readonly measures: readonly string[]; readonly x?: string; readonly series?: string };
}

export interface ChartInput {
  readonly groupings: readonly Grouping[];
  readonly measures: readonly Measure[];
  /** Whether a value of the measure is negative. */
  readonly isAnyNegative: (measure: Measure) => boolean;
}

export function visualize(input: ChartInput): Visualization {
  const { groupings, measures } = input;
  const date = groupings.find(isDate);
  const x = date ?? groupings[0];
  const series = groupings.find((grouping) => grouping !== x);
  // No chart has three dimensions.
  const isDrawn = groupings.length < 3;
  const compatibleCharts: Chart[] = [...chartsOf(input), "table"];
  return {
    compatibleCharts,
    recommendedChart: compatibleCharts[0] ?? "table",
    fieldMapping: {
      measures: measures.map(({ id }) => id),
      ...(isDrawn && x !== undefined && { x: x.column.id }),
      ...(isDrawn && series !== undefined && { series: series.column.id }),
    },
  };
}

function chartsOf({ groupings, measures, isAnyNegative }: ChartInput): Chart[] {
  const [one, ...more] = measures;
  const isOneMeasure = more.length === 0;
  const hasDate = groupings.some(isDate);
  switch (groupings.length) {
    case 0:
      return one !== undefined && isOneMeasure ? ["number"] : [];
    case 1: {
      if (hasDate) return ["line", "area", "bar"];
      const isPartition = one !== undefined && isOneMeasure && (one.type === "count" || one.type === "sum");
      return isPartition && !isAnyNegative(one) ? ["bar", "pie"] : ["bar"];
    }
    case 2:
      if (hasDate) return ["line"];
      // A heatmap's cell has one value.
      return isOneMeasure ? ["heatmap", "bar"] : ["bar"];
    default:
      return [];
  }
}

function isDate({ column }: Grouping): boolean {
  return column.type === "date";
}
