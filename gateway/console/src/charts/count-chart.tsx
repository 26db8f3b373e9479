import { useCallback, useMemo } from "react";
import { count } from "../ui/format.ts";
import { barsOver } from "./bars.ts";
import { Chart } from "./chart.tsx";
import type { Palette } from "./palette.ts";

interface CountPoint {
  readonly label: string;
  readonly n: number;
}

interface CountChartProps {
  readonly label: string;
  readonly points: readonly CountPoint[];
  readonly height: number;
  readonly onRange?: (from: number, to: number) => void;
}

/** Bar chart of counts. */
export function CountChart({ label, points, height, onRange }: CountChartProps) {
  const option = useCallback(
    (palette: Palette) => {
      const labels = points.map((point) => point.label);
      return {
        ...barsOver(labels, palette, (index) => formatTooltip(points[index])),
        grid: { left: 44, right: 12, top: 12, bottom: 24 },
        series: [
          { type: "bar", data: points.map(({ n }) => n), barMaxWidth: 18, itemStyle: { color: palette.accent } },
        ],
      };
    },
    [points],
  );
  const plotted = useMemo(
    () => ({
      heads: ["Date", "Tests"],
      rows: points.map((point) => [point.label, count(point.n)]),
      values: points.map((point) => ({ label: point.label, value: point.n, text: count(point.n) })),
    }),
    [points],
  );
  return <Chart label={label} height={height} plotted={plotted} option={option} onRange={onRange} />;
}

function formatTooltip(point: CountPoint | undefined): string {
  return point === undefined ? "" : `${point.label}\n${count(point.n)} tests`;
}
