// Computes changes in topics' pass rates between two date ranges.

import { type Interval, readInterval, readNumber, readReference } from "../reports/query.ts";

type Row = Readonly<Record<string, unknown>>;

export interface TopicChange {
  readonly id: string;
  readonly name: string;
  readonly before: number;
  readonly now: number;
  /** Lower bound of the difference's 95 % interval. */
  readonly low: number;
  readonly high: number;
}

/** Lists topics whose rate changed. Significant changes (interval without 0) come first, then larger changes. */
export function listTopicChanges(nowRows: readonly Row[], beforeRows: readonly Row[]): TopicChange[] {
  const before = new Map(beforeRows.map((row) => [readReference(row, "topicId")?.id, readRate(row)]));
  const changes = nowRows.flatMap((row) => {
    const topic = readReference(row, "topicId");
    const [was, is] = [before.get(topic?.id), readRate(row)];
    if (topic === null || !was || !is || was.rate === is.rate) return [];
    return [{ ...topic, before: was.rate, now: is.rate, ...difference(was, is) }];
  });
  return changes.sort((a, b) => Number(isClear(b)) - Number(isClear(a)) || getSize(b) - getSize(a));
}

export const isClear = ({ low, high }: TopicChange) => low > 0 || high < 0;
const getSize = ({ before, now }: TopicChange) => Math.abs(now - before);

interface KnownRate extends Interval {
  readonly rate: number;
}

function readRate(row: Row): KnownRate | null {
  const [rate, interval] = [readNumber(row, "avg_passed"), readInterval(row, "interval_passed")];
  return rate === null || interval === null ? null : { rate, ...interval };
}

/**
 * Computes Newcombe's interval for the difference of two rates from the rates' intervals (Statistics in Medicine 17,
 * 1998, method 10).
 */
function difference(before: KnownRate, now: KnownRate): { low: number; high: number } {
  const moved = now.rate - before.rate;
  return {
    low: moved - Math.hypot(now.rate - now.low, before.high - before.rate),
    high: moved + Math.hypot(now.high - now.rate, before.rate - before.low),
  };
}
