// Maintains the totals of a trace's steps in its row, exactly. Totals that a trace event stated do not change.

import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { TraceStep } from "@ems/proto/experiments/v1/trace";
import type { Consumption } from "./count-calls.ts";
import { decimalSum } from "./decimal.ts";
import type { TraceRow } from "./entity.ts";
import { countReplaced } from "./replaced-characters.ts";
import type { StepContent } from "./step-row.ts";
import type { Totals } from "./trace-update.ts";
import { storedTokens, sumTokens, tokenKinds } from "./usage.ts";

/** Bits of the column `pinned`. */
const pinnedTotals: Readonly<Record<keyof Totals, number>> = {
  hasError: 1,
  stepCount: 2,
  totalCost: 4,
  totalDurationMs: 8,
  totalPromptTokens: 16,
  totalCompletionTokens: 32,
};
export const pinnedTimestamp = 64;
/** Set if a path of the application found the session or the end user. */
export const pinnedSession = 128;
export const pinnedUser = 256;

/** A step with the content of its row. */
export interface MeasuredStep {
  readonly step: TraceStep;
  readonly content: StepContent;
}

/** Adds the steps to the sums in the trace's row. */
export function addSteps(row: TraceRow, steps: readonly MeasuredStep[]): void {
  for (const { step, content } of steps) {
    addRoot(row, content);
    addTimes(row, step, content.timestamp);
    row.bytes += content.size;
    row.replacedCharacters += replacedIn(content);
    countReplaced(replacedIn(content));
  }
  row.steps += steps.length;
  if (isOpen(row, "hasError")) row.hasError ||= steps.some(({ step }) => step.status === "error");
  if (isOpen(row, "stepCount")) row.stepCount = row.steps;
  changeConsumption(
    row,
    [],
    steps.map(({ content }) => consumption(content)),
  );
  const { startedAt, endedAt } = row;
  if (startedAt === null || endedAt === null) return;
  if (isOpen(row, "totalDurationMs")) {
    row.totalDurationMs = String(endedAt.getTime() - startedAt.getTime());
    row.durationUs = String(readUs(row.endedUs, endedAt) - readUs(row.startedUs, startedAt));
  }
  if ((row.pinned & pinnedTimestamp) === 0) row.timestamp = startedAt;
}

function consumption({ fields: { usage, costAmount, isUnpriced } }: StepContent): Consumption {
  return {
    usage: storedTokens(usage),
    costAmount: typeof costAmount === "number" ? costAmount : undefined,
    isUnpriced: isUnpriced === true,
  };
}

function replacedIn({ fields: { replacedCharacters } }: StepContent): number {
  return typeof replacedCharacters === "number" ? replacedCharacters : 0;
}

const totalNames = {
  promptTokens: "totalPromptTokens",
  completionTokens: "totalCompletionTokens",
  cachedTokens: "totalCachedTokens",
  cacheWriteTokens: "totalCacheWriteTokens",
  reasoningTokens: "totalReasoningTokens",
} as const;

/** Replaces the counted usage of steps in the sums of the row. */
export function changeConsumption(row: TraceRow, before: readonly Consumption[], after: readonly Consumption[]): void {
  const tokens = (list: readonly Consumption[]) => sumTokens(list.flatMap(({ usage }) => usage ?? []));
  const [removed, added] = [tokens(before), tokens(after)];
  for (const kind of tokenKinds) {
    const name = totalNames[kind];
    const isFixed = (name === "totalPromptTokens" || name === "totalCompletionTokens") && !isOpen(row, name);
    const change = (added[kind] ?? 0) - (removed[kind] ?? 0);
    if (!isFixed && change !== 0) row[name] = String(Math.max(0, Number(row[name]) + change));
  }
  const costs = [...after.map(({ costAmount = 0 }) => costAmount), ...before.map(({ costAmount = 0 }) => -costAmount)];
  if (isOpen(row, "totalCost")) row.totalCost = Math.max(0, decimalSum([row.totalCost, ...costs]));
  const count = (isCounted: (each: Consumption) => boolean) =>
    after.filter(isCounted).length - before.filter(isCounted).length;
  row.pricedSteps = Math.max(0, row.pricedSteps + count(({ costAmount }) => costAmount !== undefined));
  row.unpricedSteps = Math.max(0, row.unpricedSteps + count(({ isUnpriced = false }) => isUnpriced));
}

export type TotalsRow = Pick<TraceRow, "pinned" | "pricedSteps" | "totalCost" | "unpricedSteps">;

/** Returns the totals of cost for all steps of a trace. */
export function totalConsumption(
  row: TotalsRow,
  counted: readonly Consumption[],
): Pick<TraceRow, "totalCost" | "pricedSteps" | "unpricedSteps"> {
  const costs = counted.flatMap(({ costAmount }) => costAmount ?? []);
  return {
    totalCost: isOpen(row, "totalCost") ? decimalSum(costs) : row.totalCost,
    pricedSteps: costs.length,
    unpricedSteps: counted.filter(({ isUnpriced = false }) => isUnpriced).length,
  };
}

/** Returns the cost in US dollars; null if none is known. Older traces have a known cost if it is not zero. */
export function knownCost({
  pinned,
  pricedSteps,
  totalCost,
}: Pick<TraceRow, "pinned" | "pricedSteps" | "totalCost">): number | null {
  return isOpen({ pinned }, "totalCost") && pricedSteps === 0 && totalCost === 0 ? null : totalCost;
}

function isOpen({ pinned }: Pick<TraceRow, "pinned">, name: keyof Totals): boolean {
  return (pinned & pinnedTotals[name]) === 0;
}

/** Returns the totals that an event stated. */
export function statedTotals(row: TraceRow): Partial<Totals> {
  const totals: Totals = {
    hasError: row.hasError,
    stepCount: row.stepCount,
    totalCost: row.totalCost,
    totalDurationMs: row.durationUs === null ? Number(row.totalDurationMs) : Number(row.durationUs) / 1_000,
    totalPromptTokens: Number(row.totalPromptTokens),
    totalCompletionTokens: Number(row.totalCompletionTokens),
  };
  // Safe cast: the entries have the names of totals.
  const names = Object.keys(totals) as (keyof Totals)[];
  return Object.fromEntries(names.filter((name) => !isOpen(row, name)).map((name) => [name, totals[name]]));
}

/** Sets totals that an event states; the first stated value wins. Returns true if the row changed. */
export function giveTotals(row: TraceRow, totals: Partial<Totals>): boolean {
  const before = row.pinned;
  const give = <Name extends keyof Totals>(name: Name, set: (value: Totals[Name]) => void) => {
    const value = totals[name];
    if (value === undefined || (row.pinned & pinnedTotals[name]) !== 0) return;
    row.pinned |= pinnedTotals[name];
    set(value as Totals[Name]);
  };
  give("hasError", (value) => {
    row.hasError = value;
  });
  give("stepCount", (value) => {
    row.stepCount = value;
  });
  give("totalCost", (value) => {
    row.totalCost = value;
  });
  give("totalDurationMs", (value) => {
    row.totalDurationMs = String(Math.round(value));
    row.durationUs = String(Math.round(value * 1_000));
  });
  give("totalPromptTokens", (value) => {
    row.totalPromptTokens = String(value);
  });
  give("totalCompletionTokens", (value) => {
    row.totalCompletionTokens = String(value);
  });
  return row.pinned !== before;
}

/** Updates the root: the earliest step without a parent, else the earliest step; of equal ones the first to arrive. */
function addRoot(row: TraceRow, { type, event, parentId, timestamp }: StepContent): void {
  const isChild = parentId !== null;
  if (row.rootAt !== null) {
    if (isChild && !row.isRootChild) return;
    if (isChild === row.isRootChild && timestamp >= row.rootAt) return;
  }
  Object.assign(row, { type, event, rootAt: timestamp, isRootChild: isChild });
}

function addTimes(row: TraceRow, { timestamp, endTime, durationUs = 0n }: TraceStep, start: Date): void {
  const startUs = timestamp === undefined ? BigInt(start.getTime()) * 1_000n : usFromTimestamp(timestamp);
  const sentUs = endTime === undefined ? startUs + durationUs : usFromTimestamp(endTime);
  const endUs = sentUs < startUs ? startUs : sentUs > timeMaxUs ? timeMaxUs : sentUs;
  const { startedAt, endedAt } = row;
  if (startedAt === null || startUs < readUs(row.startedUs, startedAt)) {
    Object.assign(row, { startedAt: start, startedUs: String(startUs) });
  }
  if (endedAt === null || endUs > readUs(row.endedUs, endedAt)) {
    Object.assign(row, { endedAt: dateFromUs(endUs), endedUs: String(endUs) });
  }
}

/** Returns a time in microseconds since 1970; traces of older versions have only the milliseconds. */
function readUs(us: string | null, time: Date): bigint {
  return us === null ? BigInt(time.getTime()) * 1_000n : BigInt(us);
}

function usFromTimestamp({ seconds, nanos }: Timestamp): bigint {
  return seconds * 1_000_000n + BigInt(Math.floor(nanos / 1_000));
}

/** Truncates to milliseconds, also before 1970. */
function dateFromUs(us: bigint): Date {
  return new Date(Number((us - (((us % 1_000n) + 1_000n) % 1_000n)) / 1_000n));
}

/** Latest time that JSON timestamps can express. */
const timeMaxUs = BigInt(Date.UTC(9999, 11, 31, 23, 59, 59, 999)) * 1_000n;
