// Chart of rates over time: each rate is a point, with a line from the lower to the upper bound of its interval.

import { useCallback, useMemo } from "react";
import { count, missing, percent } from "../ui/format.ts";
import { Chart, type ChartPoint } from "./chart.tsx";
import type { Palette } from "./palette.ts";
import type { Plotted } from "./plotted.ts";

export interface RatePoint {
  /** Label on the x axis. */
  readonly label: string;
  /** Rate from 0 to 1; null if nothing was measured. */
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

interface RateChartProps {
  readonly label: string;
  readonly points: readonly RatePoint[];
  readonly height?: number;
  readonly onPoint?: (index: number) => void;
  readonly onRange?: (from: number, to: number) => void;
}

const percentAxis = (value: number) => `${Math.round(value * 100)} %`;

export function RateChart({ label, points, height = 220, onPoint, onRange }: RateChartProps) {
  const option = useCallback((palette: Palette) => buildOption(points, palette), [points]);
  const onClick = useCallback(({ dataIndex }: ChartPoint) => onPoint?.(dataIndex), [onPoint]);
  const plotted = useMemo(() => toPlotted(points), [points]);
  return (
    <Chart
      label={label}
      height={height}
      plotted={plotted}
      option={option}
      {...(onPoint !== undefined && { onPoint: onClick })}
      onRange={onRange}
    />
  );
}

const toPlotted = (points: readonly RatePoint[]): Plotted => ({
  heads: ["Date", "Pass rate", "95 % interval", "Tests"],
  rows: points.map(({ label, rate, low, high, n }) => [
    label,
    percent(rate),
    low === null || high === null ? missing : `${percent(low)} to ${percent(high)}`,
    count(n),
  ]),
  values: points.flatMap(({ label, rate }) => (rate === null ? [] : [{ label, value: rate, text: percent(rate) }])),
});

interface Api {
  value(dimension: number): number;
  coord(point: [number, number]): [number, number];
}

function buildOption(points: readonly RatePoint[], palette: Palette) {
  const intervals = points.map(({ low, high }, index) => [index, low, high]);
  return {
    grid: { left: 44, right: 12, top: 12, bottom: 24 },
    xAxis: {
      type: "category",
      data: points.map((point) => point.label),
      axisLine: { lineStyle: { color: palette.line } },
      axisTick: { show: false },
      // If several points have the same day, label only the first.
      axisLabel: {
        color: palette.text,
        hideOverlap: true,
        formatter: (label: string, index: number) => (points[index - 1]?.label === label ? "" : label),
      },
    },
    yAxis: {
      type: "value",
      min: 0,
      max: 1,
      axisLabel: { color: palette.text, formatter: percentAxis },
      splitLine: { lineStyle: { color: palette.line } },
    },
    tooltip: {
      trigger: "axis",
      formatter: ([{ dataIndex }]: [{ dataIndex: number }]) => formatTooltip(points[dataIndex]),
    },
    series: [
      intervalBand(intervals, palette),
      {
        type: "line",
        data: points.map(({ rate }) => rate),
        lineStyle: { color: palette.accent, width: 1.5 },
        itemStyle: { color: palette.accent },
        symbol: "circle",
        symbolSize: 6,
        connectNulls: true,
      },
    ],
  };
}

/** Builds an ECharts series of interval lines from tuples `[index, low, high]`. */
export const intervalBand = (intervals: readonly (readonly (number | null)[])[], palette: Palette) => ({
  type: "custom",
  data: intervals,
  silent: true,
  encode: { x: 0, y: [1, 2] },
  tooltip: { show: false },
  renderItem: (_: unknown, api: Api) => intervalLine(api, palette),
});

function intervalLine(api: Api, palette: Palette) {
  const [low, high] = [api.value(1), api.value(2)];
  if (Number.isNaN(low) || Number.isNaN(high)) return undefined;
  const [x, y1] = api.coord([api.value(0), low]);
  const [, y2] = api.coord([api.value(0), high]);
  return { type: "rect", shape: { x: x - 4, y: y2, width: 8, height: y1 - y2, r: 2 }, style: { fill: palette.band } };
}

function formatTooltip(point: RatePoint | undefined): string {
  if (point === undefined) return "";
  if (point.rate === null) return `${point.label}\nno tests`;
  const interval =
    point.low === null || point.high === null ? "" : ` (${percent(point.low)} to ${percent(point.high)})`;
  return `${point.label}\n${percent(point.rate)}${interval}\n${count(point.n)} tests`;
}
