// Percentiles from histograms (kit). Buckets of parts are added and subtracted, like those of a rollup and of the rows
// at its edges. Inner statements group by bucket, too; the outermost one finds the bucket of each percentile.

import { bucketMiddle, bucketSql } from "@ems/kit/histogram";
import type { Column } from "../sources/index.ts";
import type { Measure, MeasureType } from "./plan.ts";

const quantiles: Partial<Record<MeasureType, string>> = { p50: "0.50", p90: "0.90", p95: "0.95", p99: "0.99" };

export function isPercentile(type: MeasureType): boolean {
  return type in quantiles;
}

/** Columns of a statement with the histogram of a measured column: the bucket, and the number of values in it. */
export interface Histogram {
  readonly column: Column;
  readonly bucket: string;
  readonly hits: string;
  /** Types of the column's percentiles. */
  readonly percentiles: readonly MeasureType[];
}

/** Lists the histograms that the measures need. */
export function listHistograms(measures: readonly Measure[]): Histogram[] {
  const ranked = measures.filter(({ type }) => isPercentile(type));
  const columns = new Set(ranked.flatMap(({ column }) => column ?? []));
  return [...columns].map((column, at) => {
    const percentiles = ranked.filter((measure) => measure.column === column).map(({ type }) => type);
    return { column, bucket: `bucket_${at}`, hits: `hits_${at}`, percentiles };
  });
}

/** Lists the names of the histograms' columns. */
export function histogramNames(histograms: readonly Histogram[]): string[] {
  return histograms.flatMap(({ bucket, hits }) => [bucket, hits]);
}

/** Builds the SQL of the buckets and hits, from rows of the source. */
export function histogramOfRows(histograms: readonly Histogram[], engine?: "clickhouse") {
  return {
    buckets: histograms.map(({ column, bucket }) => `${bucketSql(column.sql, engine)} AS ${bucket}`),
    hits: histograms.map(({ column, hits }) => `count(${column.sql}) AS ${hits}`),
  };
}

/** Returns the name of the column with the bucket of the measure's percentile. */
export function percentileName({ id }: Measure): string {
  return `"${id}"`;
}

/** Builds the SQL that ranks the buckets of each group, over a statement that is grouped by bucket. */
export function rankBuckets(histograms: readonly Histogram[], keys: readonly string[]): string[] {
  const partition = keys.length > 0 ? `PARTITION BY ${keys.join(", ")}` : "";
  return histograms.flatMap(({ bucket, hits }) => [
    `sum(${hits}) OVER (${partition} ORDER BY ${bucket}) AS below_${hits}`,
    `sum(${hits}) OVER (${partition}) AS all_${hits}`,
  ]);
}

/** Builds the SQL of the percentiles' buckets, over ranked buckets. */
export function percentileBuckets(histograms: readonly Histogram[]): string[] {
  return histograms.flatMap(({ column, bucket, hits, percentiles }) =>
    percentiles.map((type) => {
      const isReached = `all_${hits} > 0 AND below_${hits} >= ceil(${quantiles[type]} * all_${hits})`;
      return `min(${bucket}) FILTER (WHERE ${isReached}) AS ${percentileName({ id: `${type}_${column.id}`, type })}`;
    }),
  );
}

/** Returns the value of a percentile from its bucket. */
export function percentileValue({ storage }: Column, bucket: number): number {
  const isWhole = storage.kind === "scaled";
  return bucketMiddle(bucket, isWhole) / (isWhole ? 10 ** storage.scale : 1);
}
