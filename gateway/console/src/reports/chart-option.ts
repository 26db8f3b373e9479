// ECharts options for the chart types that a report supports. Each measure has its own chart, because units differ.

import type { Schemas } from "../api/request.ts";
import type { Palette } from "../charts/palette.ts";
import { intervalBand } from "../charts/rate-chart.tsx";
import { percent } from "../ui/format.ts";
import { type Interval, readInterval, readNumber } from "./query.ts";
import type { ChartKind } from "./report-search.ts";
import { numberWords, type ResultColumn, type Row, valueWords } from "./report-words.ts";

export interface Drawn {
  readonly rows: readonly Row[];
  readonly columns: readonly ResultColumn[];
  readonly mapping: Schemas["FieldMapping"];
  readonly measure: ResultColumn;
  readonly timeZone: string;
}

interface Table {
  readonly isDate: boolean;
  readonly x: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  readonly intervals: readonly (Interval | null)[];
}

/** Groups rows by x and series. Keeps the report's order, except that times are always ascending. */
export function buildTable({ rows, columns, mapping, measure, timeZone }: Drawn): Table {
  const x = columns.find(({ id }) => id === mapping.x);
  const series = columns.find(({ id }) => id === mapping.series);
  const label = (row: Row, column: ResultColumn | undefined) =>
    column === undefined ? measure.name : valueWords(row, column, timeZone);
  const ordered =
    x?.type === "date" ? [...rows].sort((a, b) => String(a[x.id] ?? "").localeCompare(String(b[x.id] ?? ""))) : rows;
  const labels = [...new Set(ordered.map((row) => label(row, x)))];
  const names = [...new Set(ordered.map((row) => label(row, series)))];
  const cells = new Map(ordered.map((row) => [JSON.stringify([label(row, x), label(row, series)]), row]));
  const cell = (text: string, name: string) => cells.get(JSON.stringify([text, name])) ?? {};
  const intervalId = measure.id.replace(/^avg_/, "interval_");
  return {
    isDate: x?.type === "date",
    x: labels,
    series: names.map((name) => ({ name, values: labels.map((text) => readNumber(cell(text, name), measure.id)) })),
    intervals: series === undefined ? labels.map((text) => readInterval(cell(text, measure.name), intervalId)) : [],
  };
}

export function buildOption(kind: ChartKind, drawn: Drawn, palette: Palette) {
  const table = buildTable(drawn);
  const words = (value: unknown) => numberWords(typeof value === "number" ? value : null, drawn.measure.unit);
  if (kind === "pie") return pie(table, words, palette);
  if (kind === "heatmap") return heatmap(table, words, palette);
  const intervals = table.intervals.map((interval, index) => [
    index,
    interval?.low ?? Number.NaN,
    interval?.high ?? Number.NaN,
  ]);
  const hasLegend = table.series.length > 1;
  return {
    grid: { left: 60, right: 12, top: hasLegend ? 36 : 12, bottom: isTurned(table) ? turnedHeight : 28 },
    ...(hasLegend && { legend: legend(palette) }),
    xAxis: category(table.x, palette, isTurned(table)),
    yAxis: {
      type: "value",
      ...(drawn.measure.unit === "rate" && { min: 0, max: 1 }),
      axisLabel: { color: palette.text, formatter: words },
      splitLine: { lineStyle: { color: palette.line } },
    },
    tooltip: { trigger: "axis", valueFormatter: words },
    series: [
      ...(intervals.some(([, low]) => !Number.isNaN(low)) ? [intervalBand(intervals, palette)] : []),
      ...table.series.map(({ name, values }, index) => ({
        type: kind === "bar" ? "bar" : "line",
        name,
        data: values,
        barMaxWidth: 28,
        symbolSize: 6,
        ...(kind === "area" && { areaStyle: { opacity: 0.16 } }),
        itemStyle: { color: palette.series[index % palette.series.length] },
        connectNulls: true,
      })),
    ],
  };
}

const legend = (palette: Palette) => ({ type: "scroll", top: 0, textStyle: { color: palette.text } });

/** Maximum number of names that have a label each. */
const turnedMax = 40;
const turnedHeight = 84;

/** Returns true if labels have to be turned, so that each name has one. Of dates, some labels are enough. */
const isTurned = ({ x, isDate }: Table) => !isDate && x.length > 3 && x.length <= turnedMax;

const category = (data: readonly string[], palette: Palette, hasTurnedLabels = false) => ({
  type: "category",
  data: [...data],
  axisTick: { show: false },
  axisLine: { lineStyle: { color: palette.line } },
  axisLabel: {
    color: palette.text,
    width: 120,
    overflow: "truncate",
    ...(hasTurnedLabels ? { interval: 0, rotate: 35 } : { hideOverlap: true }),
  },
});

function pie(table: Table, words: (value: unknown) => string, palette: Palette) {
  const values = table.series[0]?.values ?? [];
  return {
    tooltip: { trigger: "item", valueFormatter: words },
    series: [
      {
        type: "pie",
        radius: ["45%", "75%"],
        label: {
          color: palette.text,
          lineHeight: 15,
          formatter: ({ name, percent: share }: { name: string; percent: number }) =>
            `${name}\n${percent(share / 100)}`,
        },
        data: table.x.map((name, index) => ({ name, value: values[index] ?? 0 })),
      },
    ],
  };
}

function heatmap(table: Table, words: (value: unknown) => string, palette: Palette) {
  const cells = table.series.flatMap(({ values }, y) =>
    values.flatMap((value, x) => (value === null ? [] : [[x, y, value] as const])),
  );
  const amounts = cells.map(([, , value]) => value);
  return {
    grid: { left: 130, right: 12, top: 12, bottom: isTurned(table) ? 36 + turnedHeight : 64 },
    xAxis: category(table.x, palette, isTurned(table)),
    yAxis: {
      ...category(
        table.series.map(({ name }) => name),
        palette,
      ),
      axisLabel: { color: palette.text, width: 110, overflow: "truncate", interval: 0 },
    },
    tooltip: {
      trigger: "item",
      formatter: ({ value: [x, y, value] }: { value: [number, number, number] }) =>
        `${table.x[x] ?? ""}\n${table.series[y]?.name ?? ""}\n${words(value)}`,
    },
    visualMap: {
      min: Math.min(0, ...amounts),
      max: Math.max(0, ...amounts),
      orient: "horizontal",
      left: "center",
      bottom: 0,
      itemHeight: 120,
      itemWidth: 10,
      calculable: false,
      formatter: words,
      text: [words(Math.max(0, ...amounts)), words(Math.min(0, ...amounts))],
      textStyle: { color: palette.text },
      inRange: { color: [palette.line, palette.accent] },
    },
    // Draw all cells at once: a browser prints what is drawn when the page's handler returns.
    series: [
      { type: "heatmap", progressive: 0, data: cells, itemStyle: { borderColor: palette.tooltip, borderWidth: 1 } },
    ],
  };
}
