// Which charts can show a result, and which does it best. All of it follows from how many columns of which kind there
// are, but for pies, which cannot show a negative part.

import type { Group, Measure } from "./plan.ts";

export type Chart = "table" | "number" | "bar" | "line" | "area" | "pie" | "heatmap";

export interface Visualization {
  /** The best one first. */
  readonly compatibleCharts: readonly Chart[];
  readonly recommendedChart: Chart;
  readonly fieldMapping: { readonly measures: readonly string[]; readonly x?: string; readonly series?: string };
}

/** What charts look at. `isAnyNegative` tells whether a shown value of the measurement is below zero. */
export interface Charted {
  readonly groups: readonly Group[];
  readonly measures: readonly Measure[];
  readonly isAnyNegative: (measure: Measure) => boolean;
}

export function visualize(charted: Charted): Visualization {
  const { groups, measures } = charted;
  const date = groups.find(isDate);
  const x = date ?? groups[0];
  const series = groups.find((group) => group !== x);
  // Three columns are more than a chart can tell apart.
  const isDrawn = groups.length < 3;
  const compatibleCharts: Chart[] = [...chartsOf(charted), "table"];
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

function chartsOf({ groups, measures, isAnyNegative }: Charted): Chart[] {
  const [one, ...more] = measures;
  const isOneMeasure = more.length === 0;
  const hasDate = groups.some(isDate);
  switch (groups.length) {
    case 0:
      return one !== undefined && isOneMeasure ? ["number"] : [];
    case 1: {
      if (hasDate) return ["line", "area", "bar"];
      const isWhole = one !== undefined && isOneMeasure && (one.type === "count" || one.type === "sum");
      return isWhole && !isAnyNegative(one) ? ["bar", "pie"] : ["bar"];
    }
    case 2:
      if (hasDate) return ["line"];
      // A cell has one colour.
      return isOneMeasure ? ["heatmap", "bar"] : ["bar"];
    default:
      return [];
  }
}

function isDate({ column }: Group): boolean {
  return column.type === "date";
}
