// Table of results and differences from the baseline, with one compared side per column and one definition per row.

import { Group, Stack } from "@mantine/core";
import { Fragment, type ReactNode, useRef } from "react";
import { usePrinting } from "../app/printing.ts";
import { Reliable } from "../ui/badges.tsx";
import { CopyTableButton } from "../ui/copy-table-button.tsx";
import { count, dollars, duration, score } from "../ui/format.ts";
import { AmountCell, DifferenceCell, RateCell } from "./comparison-cells.tsx";
import type { Comparison, Difference, Estimate, Side } from "./comparison-requests.ts";
import classes from "./comparisons.module.css";
import { computeScale } from "./differences.ts";

export interface ComparedSide {
  readonly id: string;
  /** Header above the side's columns. */
  readonly head: ReactNode;
  /** True for the side whose details the page shows. */
  readonly isChosen?: boolean;
  /** Comparison with the baseline. Null if there is nothing to compare, undefined while loading. */
  readonly comparison: Comparison | null | undefined;
}

interface ComparisonTableProps {
  readonly label: string;
  /** Side that the others are compared with. Its results are in each of their comparisons. */
  readonly baseline: ComparedSide;
  readonly sides: readonly ComparedSide[];
}

/** One row: results for all tests, or for one definition. */
interface Compared {
  readonly baseline: Side | null;
  readonly variant: Side | null;
  readonly difference: Difference | null;
}

type Pick = (comparison: Comparison) => Compared | undefined;

interface Amount {
  readonly label: string;
  readonly of: (side: Side) => Estimate | null | undefined;
  readonly format: (value: number) => string;
}

/** Limits the interval to the range of scores, 0 to 1. */
const clipped = ({ value, low, high }: Estimate): Estimate => ({
  value,
  low: low && Math.max(0, low),
  high: high && Math.min(1, high),
});

const amounts: readonly Amount[] = [
  { label: "Average score", of: ({ averageScore }) => averageScore && clipped(averageScore), format: score },
  { label: "Cost per test", of: ({ cost }) => cost, format: dollars },
  { label: "Input tokens", of: ({ tokens }) => tokens?.input, format: count },
  { label: "Output tokens", of: ({ tokens }) => tokens?.output, format: count },
  { label: "Response time", of: ({ latencyMs }) => latencyMs, format: duration },
  { label: "Judge cost per test", of: ({ judgeCost }) => judgeCost, format: dollars },
];

/** Sides next to the baseline that fit on paper. */
const printedSides = 2;

/** Shows the sides in one table, or on paper in several, and a button that copies it. */
export function ComparisonTable({ label, baseline, sides }: ComparisonTableProps) {
  const isPrinting = usePrinting();
  const place = useRef<HTMLDivElement>(null);
  const size = isPrinting ? printedSides : Math.max(1, sides.length);
  const parts = Array.from({ length: Math.max(1, Math.ceil(sides.length / size)) }, (_, at) =>
    sides.slice(at * size, (at + 1) * size),
  );
  return (
    <Stack gap="xs" ref={place}>
      <Group justify="flex-end" className={classes.copy}>
        <CopyTableButton within={place} />
      </Group>
      {parts.map((part, at) => (
        <SidesTable key={at} label={label} baseline={baseline} sides={part} />
      ))}
    </Stack>
  );
}

function SidesTable({ label, baseline, sides }: ComparisonTableProps) {
  const found = [baseline, ...sides].flatMap(({ comparison }) => comparison ?? []);
  const scale = computeScale(found.flatMap((each) => [each, ...each.definitions]).map(({ difference }) => difference));
  const displayedAmounts = amounts.filter(({ of }) =>
    found.some((each) => listSides(each).some((side) => of(side) != null)),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className={classes.scroller} tabIndex={0} aria-label={label}>
      <table className={classes.table}>
        <Heads baseline={baseline} sides={sides} />
        <tbody>
          <ResultRow
            head="All tests"
            pick={(comparison) => comparison}
            baseline={baseline}
            sides={sides}
            scale={scale}
          />
          {collectDefinitions(found).map(({ id, name, isUnreliable }) => {
            const pick: Pick = ({ definitions }) => definitions.find(({ definition }) => definition?.id === id);
            const head = (
              <>
                {name}
                {isUnreliable && <Reliable value={false} />}
              </>
            );
            return <ResultRow key={id} head={head} pick={pick} baseline={baseline} sides={sides} scale={scale} />;
          })}
          {displayedAmounts.map((amount) => (
            <AmountRow key={amount.label} amount={amount} baseline={baseline} sides={sides} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const listSides = ({ baseline, variant }: Comparison) => [baseline, variant].filter((side) => side !== null);

interface DisplayedDefinition {
  readonly id: string;
  readonly name: string;
  readonly isUnreliable: boolean;
}

/** Lists the definitions that judged any side, sorted by name. */
function collectDefinitions(comparisons: readonly Comparison[]): DisplayedDefinition[] {
  const found = new Map<string, DisplayedDefinition>();
  for (const { definitions } of comparisons) {
    for (const { definition } of definitions) {
      if (definition === null) continue;
      const { id, name, calibration } = definition;
      found.set(id, { id, name: name === "" ? id : name, isUnreliable: calibration?.reliable === false });
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns a part of the row; undefined while loading, null if it is missing. */
const getPart = <Name extends keyof Compared>(compared: Compared | null | undefined, name: Name) =>
  compared === undefined ? undefined : (compared?.[name] ?? null);

type SidesProps = Omit<ComparisonTableProps, "label">;

function Heads({ baseline, sides }: SidesProps) {
  return (
    <thead>
      <tr>
        <th rowSpan={2} scope="col">
          Evaluator
        </th>
        <th scope="colgroup" className={classes.head}>
          {baseline.head}
        </th>
        {sides.map(({ id, head, isChosen }) => (
          <th key={id} colSpan={2} scope="colgroup" className={classes.head} data-chosen={isChosen}>
            {head}
          </th>
        ))}
      </tr>
      <tr>
        <th scope="col" className={classes.number}>
          Pass rate
        </th>
        {sides.map(({ id }) => (
          <Fragment key={id}>
            <th scope="col" className={classes.number}>
              Pass rate
            </th>
            <th scope="col">Difference from the baseline</th>
          </Fragment>
        ))}
      </tr>
    </thead>
  );
}

interface ResultRowProps extends SidesProps {
  readonly head: ReactNode;
  readonly pick: Pick;
  readonly scale: number;
}

function ResultRow({ head, pick, baseline, sides, scale }: ResultRowProps) {
  const picked = ({ comparison }: ComparedSide) => comparison && (pick(comparison) ?? null);
  return (
    <tr>
      <th scope="row">{head}</th>
      <RateCell side={getPart(picked(baseline), "baseline")} />
      {sides.map((side) => {
        const compared = picked(side);
        return (
          <Fragment key={side.id}>
            <RateCell side={getPart(compared, "variant")} />
            <DifferenceCell difference={getPart(compared, "difference")} scale={scale} />
          </Fragment>
        );
      })}
    </tr>
  );
}

function AmountRow({ amount: { label, of, format }, baseline, sides }: SidesProps & { readonly amount: Amount }) {
  const estimate = (side: Side | null | undefined) => side && (of(side) ?? null);
  return (
    <tr>
      <th scope="row">{label}</th>
      <AmountCell estimate={estimate(getPart(baseline.comparison, "baseline"))} format={format} />
      {sides.map(({ id, comparison }) => (
        <Fragment key={id}>
          <AmountCell estimate={estimate(getPart(comparison, "variant"))} format={format} />
          <td />
        </Fragment>
      ))}
    </tr>
  );
}
