// Chart with a reserved space, so that the page does not move, and its values as a table.

import { Skeleton, useComputedColorScheme } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { useIsFetching } from "@tanstack/react-query";
import type { EChartsCoreOption, EChartsType } from "echarts/core";
import { useEffect, useRef, useState } from "react";
import { usePrinting } from "../app/printing.ts";
import classes from "./chart.module.css";
import { ChartTable, nameChart } from "./chart-table.tsx";
import { type Palette, palettes } from "./palette.ts";
import type { Plotted } from "./plotted.ts";
import { useRange } from "./use-range.ts";

export interface ChartPoint {
  readonly dataIndex: number;
  readonly seriesIndex?: number;
}

interface ChartProps {
  readonly label: string;
  readonly height: number;
  /** The same values as texts. Undefined if the page has a table of them. */
  readonly plotted?: Plotted;
  /** Builds the ECharts options for the colors of the light or dark scheme. */
  readonly option: (palette: Palette) => EChartsCoreOption;
  readonly onPoint?: (point: ChartPoint) => void;
  /** Called after a drag along the x axis, with the indices of the first and last selected category. */
  readonly onRange?: ((from: number, to: number) => void) | undefined;
  /** Called with the rendered chart, so that the page can save it as an image. */
  readonly onReady?: (chart: EChartsType) => void;
}

export function Chart({ label, height, plotted, option, onPoint, onRange, onReady }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<EChartsType>();
  const chosen = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const isPrinting = usePrinting();
  const scheme = isPrinting ? "light" : chosen;
  const isStill = useReducedMotion();
  const isPainted = useIsPainted();
  useEffect(() => {
    const element = place.current;
    if (element === null || !isPainted) return;
    let isGone = false;
    let made: EChartsType | undefined;
    const observer = new ResizeObserver(() => made?.resize());
    void import("./echarts.ts").then(({ init }) => {
      if (isGone) return;
      made = init(element, null, { renderer: "canvas" });
      observer.observe(element);
      setChart(made);
    });
    return () => {
      isGone = true;
      observer.disconnect();
      made?.dispose();
    };
  }, [isPainted]);
  useEffect(() => {
    const palette = palettes[scheme];
    chart?.setOption(
      { animation: !isStill && !isPrinting, animationDuration: 200, ...basis(palette), ...option(palette) },
      true,
    );
  }, [chart, scheme, isStill, isPrinting, option]);
  useEffect(() => {
    if (chart !== undefined) onReady?.(chart);
  }, [chart, onReady]);
  useEffect(() => {
    if (chart === undefined || onPoint === undefined) return;
    const onClick = (point: unknown) => onPoint(point as ChartPoint);
    chart.on("click", onClick);
    return () => {
      if (!chart.isDisposed()) chart.off("click", onClick);
    };
  }, [chart, onPoint]);
  const { handlers, selected } = useRange(chart, onRange);
  const open = onPoint && ((dataIndex: number) => onPoint({ dataIndex }));
  return (
    <div>
      <div className={classes.frame} style={{ height }} {...handlers}>
        {selected !== undefined && <div className={classes.range} style={selected} />}
        {chart === undefined && <Skeleton className={classes.skeleton} height={height} />}
        <div
          ref={place}
          role="img"
          aria-label={plotted === undefined ? label : nameChart(label, plotted)}
          style={{ height }}
        />
      </div>
      {plotted !== undefined && <ChartTable label={label} {...plotted} onPoint={open} />}
    </div>
  );
}

/** Options common to all charts. Tooltips are rich text, because HTML tooltips would need inline styles. */
const basis = (palette: Palette): EChartsCoreOption => ({
  backgroundColor: "transparent",
  textStyle: { fontFamily: "Inter, system-ui, sans-serif", fontSize: 11, color: palette.text },
  color: palette.series,
  tooltip: {
    renderMode: "richText",
    confine: true,
    backgroundColor: palette.tooltip,
    borderColor: palette.line,
    textStyle: { color: palette.tooltipText, fontSize: 12 },
  },
});

/**
 * Returns true once the page's first data has been painted. Parsing the chart script before would delay the painting
 * on slow CPUs.
 */
function useIsPainted(): boolean {
  const [isPainted, setIsPainted] = useState(false);
  const isFetching = useIsFetching() > 0;
  useEffect(() => {
    if (isPainted || isFetching) return;
    let task: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      task = setTimeout(() => setIsPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(task);
    };
  }, [isPainted, isFetching]);
  return isPainted;
}
