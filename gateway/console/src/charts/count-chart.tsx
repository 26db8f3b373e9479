import { useCallback } from "react";
import { count } from "../ui/format.ts";
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

/** Numbers as bars. */
export function CountChart({ label, points, height, onRange }: CountChartProps) {
  const option = useCallback(
    (palette: Palette) => ({
      grid: { left: 44, right: 12, top: 12, bottom: 24 },
      xAxis: {
        type: "category",
        data: points.map((point) => point.label),
        axisLine: { lineStyle: { color: palette.line } },
        axisTick: { show: false },
        axisLabel: { color: palette.text, hideOverlap: true },
      },
      yAxis: {
        type: "value",
        minInterval: 1,
        axisLabel: { color: palette.text },
        splitLine: { lineStyle: { color: palette.line } },
      },
      tooltip: {
        trigger: "axis",
        axisPointer: { type: "shadow", shadowStyle: { color: palette.band } },
        formatter: ([{ dataIndex }]: [{ dataIndex: number }]) => {
          const point = points[dataIndex];
          return point === undefined ? "" : `${point.label}\n${count(point.n)} tests`;
        },
      },
      series: [{ type: "bar", data: points.map(({ n }) => n), barMaxWidth: 18, itemStyle: { color: palette.accent } }],
    }),
    [points],
  );
  return <Chart label={label} height={height} option={option} onRange={onRange} />;
}
