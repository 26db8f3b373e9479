// Options that daily bar charts share: axes, and one tooltip per day for all its bars.

import type { Palette } from "./palette.ts";

export function barsOver(labels: readonly string[], palette: Palette, formatTooltip: (index: number) => string) {
  return {
    xAxis: {
      type: "category",
      data: labels,
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
      formatter: ([{ dataIndex }]: [{ dataIndex: number }]) => formatTooltip(dataIndex),
    },
  };
}
