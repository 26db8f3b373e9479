// Chart of test counts, as bars stacked by result.

import { Group, Text } from "@mantine/core";
import { useCallback, useMemo } from "react";
import { count, plural } from "../ui/format.ts";
import { barsOver } from "./bars.ts";
import classes from "./chart.module.css";
import { Chart } from "./chart.tsx";
import type { Palette } from "./palette.ts";
import type { Plotted } from "./plotted.ts";

export interface ResultPoint {
  /** Label on the x axis. */
  readonly label: string;
  readonly passed: number;
  readonly failed: number;
  /** Number of tests without the verdict that was due. */
  readonly errored: number;
  /** Number of other tests without a verdict. */
  readonly unjudged: number;
}

interface ResultChartProps {
  readonly label: string;
  readonly points: readonly ResultPoint[];
  readonly height: number;
  readonly onPoint?: (index: number) => void;
  readonly onRange?: (from: number, to: number) => void;
}

/** Parts of a bar, from the axis upward. */
const parts = [
  { of: "passed", name: "Passed", color: "good" },
  { of: "failed", name: "Failed", color: "bad" },
  { of: "errored", name: "Errored", color: "errored" },
  { of: "unjudged", name: "Not judged", color: "muted" },
] as const;

export function ResultChart({ label, points, height, onPoint, onRange }: ResultChartProps) {
  const option = useCallback((palette: Palette) => buildOption(points, palette), [points]);
  const onClick = useCallback(({ dataIndex }: { dataIndex: number }) => onPoint?.(dataIndex), [onPoint]);
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

const countTests = (point: ResultPoint) => parts.reduce((sum, { of }) => sum + point[of], 0);

const toPlotted = (points: readonly ResultPoint[]): Plotted => ({
  heads: ["Date", ...parts.map(({ name }) => name)],
  rows: points.map((point) => [point.label, ...parts.map(({ of }) => count(point[of]))]),
  values: points.map((point) => ({
    label: point.label,
    value: countTests(point),
    text: plural(countTests(point), "test"),
  })),
});

/** Legend that explains the colors of the bars. */
export function ResultLegend() {
  return (
    <Group gap="sm">
      {parts.map(({ of, name }) => (
        <Text key={of} size="xs" c="dimmed" className={classes.part}>
          <span className={classes.color} data-part={of} aria-hidden />
          {name}
        </Text>
      ))}
    </Group>
  );
}

function buildOption(points: readonly ResultPoint[], palette: Palette) {
  const labels = points.map(({ label }) => label);
  const bars = barsOver(labels, palette, (index) => formatTooltip(points[index]));
  return {
    ...bars,
    yAxis: { ...bars.yAxis, splitNumber: 2 },
    grid: { left: 44, right: 12, top: 8, bottom: 22 },
    series: parts.map(({ of, name, color }) => ({
      type: "bar",
      stack: "tests",
      name,
      barMaxWidth: 18,
      data: points.map((point) => point[of]),
      itemStyle: { color: palette[color] },
    })),
  };
}

function formatTooltip(point: ResultPoint | undefined): string {
  if (point === undefined) return "";
  return [point.label, ...parts.map(({ of, name }) => `${name}: ${count(point[of])}`)].join("\n");
}
