import { ActionIcon, SegmentedControl, Text, Tooltip } from "@mantine/core";
import type { EChartsType } from "echarts/core";
import { ImageDown } from "lucide-react";
import { useCallback, useState } from "react";
import { Chart } from "../charts/chart.tsx";
import type { Palette } from "../charts/palette.ts";
import { save } from "../ui/csv/save.ts";
import { words } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { buildOption, type Drawn } from "./chart-option.ts";
import { readNumber } from "./query.ts";
import type { ChartKind } from "./report-search.ts";
import { numberWords } from "./report-words.ts";
import classes from "./reports.module.css";

interface ChartChoiceProps {
  readonly kinds: readonly string[];
  readonly value: string;
  readonly onChange: (kind: ChartKind) => void;
}

export function ChartChoice({ kinds, value, onChange }: ChartChoiceProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Chart"
      data={kinds.map((kind) => ({ value: kind, label: kind === "table" ? "Table only" : words(kind) }))}
      value={value}
      onChange={(kind) => onChange(kind as ChartKind)}
    />
  );
}

interface ReportChartsProps extends Omit<Drawn, "measure"> {
  readonly kind: ChartKind;
}

export function ReportCharts({ kind, ...drawn }: ReportChartsProps) {
  const measures = drawn.columns.filter(({ id, type }) => type === "number" && drawn.mapping.measures.includes(id));
  if (kind === "table") return null;
  return (
    <div className={classes.charts}>
      {measures.map((measure) =>
        kind === "number" ? (
          <Section key={measure.id} title={measure.name}>
            <Text className={classes.figure}>
              {numberWords(readNumber(drawn.rows[0] ?? {}, measure.id), measure.unit)}
            </Text>
          </Section>
        ) : (
          <MeasureChart key={measure.id} kind={kind} drawn={{ ...drawn, measure }} />
        ),
      )}
    </div>
  );
}

const height = 300;

function MeasureChart({ kind, drawn }: { readonly kind: ChartKind; readonly drawn: Drawn }) {
  const { measure, rows, columns, mapping, timeZone } = drawn;
  const [chart, setChart] = useState<EChartsType>();
  const option = useCallback(
    (palette: Palette) => buildOption(kind, { measure, rows, columns, mapping, timeZone }, palette),
    [kind, measure, rows, columns, mapping, timeZone],
  );
  const hasInterval = columns.some(({ id }) => id === measure.id.replace(/^avg_/, "interval_") && id !== measure.id);
  return (
    <Section
      title={measure.name}
      description={hasInterval && mapping.series == null ? "With 95 % interval" : undefined}
      actions={
        <Tooltip label="Save as PNG">
          <ActionIcon
            className={classes.screen}
            variant="default"
            aria-label={`Save ${measure.name} as PNG`}
            disabled={chart === undefined}
            onClick={() => chart !== undefined && savePng(chart, measure.id)}
          >
            <ImageDown size={14} />
          </ActionIcon>
        </Tooltip>
      }
    >
      <Chart
        label={`${measure.name}, ${words(kind)} of ${rows.length} groups`}
        height={height}
        option={option}
        onReady={setChart}
      />
    </Section>
  );
}

function savePng(chart: EChartsType, name: string): void {
  const backgroundColor = getComputedStyle(document.body).backgroundColor;
  const canvas = chart.renderToCanvas({ pixelRatio: 2, backgroundColor });
  canvas.toBlob((blob) => blob !== null && save(`${name}.png`, blob), "image/png");
}
