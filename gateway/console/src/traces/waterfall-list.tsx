// Virtualized waterfall: only visible rows are rendered, so that 10,000 steps scroll smoothly.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { count, duration, words } from "../ui/format.ts";
import classes from "./traces.module.css";
import type { Waterfall, WaterfallRow } from "./waterfall.ts";

interface WaterfallListProps {
  readonly waterfall: Waterfall;
  readonly selected: string | undefined;
  readonly onSelect: (stepId: string) => void;
}

const rowHeight = 30;
/** Maximum depth of indentation. Deeper steps are indented no further. */
const depthMax = 12;
const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 };

export function WaterfallList({ waterfall: { rows, totalMs }, selected, onSelect }: WaterfallListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const index = rows.findIndex(({ step }) => step.id === selected);
  useEffect(() => {
    if (index >= 0) virtualizer.scrollToIndex(index, { align: "auto" });
  }, [index, virtualizer]);
  const onKeyDown = (event: KeyboardEvent) => {
    const target =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? rows.length - 1
          : Math.max(index, 0) + (moves[event.key] ?? Number.NaN);
    const row = rows[Math.min(rows.length - 1, Math.max(0, target))];
    if (Number.isNaN(target) || row === undefined) return;
    event.preventDefault();
    onSelect(row.step.id);
  };
  return (
    <div
      ref={scroller}
      className={classes.waterfall}
      role="tree"
      aria-label="Steps"
      tabIndex={0}
      aria-activedescendant={index >= 0 ? `step-${index}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div className={classes.canvas} style={{ height: virtualizer.getTotalSize() }} role="presentation">
        {virtualizer.getVirtualItems().map(({ index: at, start }) => {
          const row = rows[at];
          return row === undefined ? null : (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the surrounding tree handles keys.
            <div
              key={at}
              id={`step-${at}`}
              role="treeitem"
              tabIndex={-1}
              aria-selected={at === index}
              aria-level={row.depth + 1}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              className={classes.row}
              style={{ transform: `translateY(${start}px)`, height: rowHeight }}
              onClick={() => onSelect(row.step.id)}
            >
              <Row row={row} totalMs={totalMs} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Row({ row, totalMs }: { readonly row: WaterfallRow; readonly totalMs: number }) {
  const { step, depth, startMs, durationMs } = row;
  const tokens = (step.usage?.promptTokens ?? 0) + (step.usage?.completionTokens ?? 0);
  return (
    <>
      <span className={classes.name} style={{ paddingLeft: 14 * Math.min(depth, depthMax) }}>
        <span className={classes.type}>{words(step.type)}</span> {step.name ?? ""}{" "}
        {step.status === "error" && <span className={classes.error}>error</span>}
      </span>{" "}
      <svg className={classes.bar} viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden>
        <rect
          className={step.status === "error" ? classes.errorBar : classes.okBar}
          x={(1_000 * startMs) / totalMs}
          width={Math.max(4, (1_000 * (durationMs ?? 0)) / totalMs)}
          y={0}
          height={10}
        />
      </svg>
      <span className={classes.tokens}>{tokens === 0 ? "" : `${count(tokens)} tok`}</span>{" "}
      <span className={classes.duration}>{duration(durationMs)}</span>
    </>
  );
}
