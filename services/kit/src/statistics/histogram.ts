// Logarithmic histograms, which can be added and subtracted: a value counts in the bucket of its magnitude. A bucket is
// 2 % wide, so its middle is within 1 % of all values in it.

const growth = 1.02;
/** Separates the buckets of positive and of negative values; zero has bucket 0. */
const offset = 100_000;

/** Returns the bucket of a number. Buckets are in the order of their numbers. */
export function getBucket(value: number): number {
  if (value === 0) return 0;
  const magnitude = offset + Math.ceil(Math.log(Math.abs(value)) / Math.log(growth));
  return value > 0 ? magnitude : -magnitude;
}

/** Builds the SQL for the bucket of a number; null without a number. */
export function bucketSql(sql: string, engine: "postgres" | "clickhouse" = "postgres"): string {
  const [double, log, ceiling] =
    engine === "postgres"
      ? [`(${sql})::float8`, "ln", (x: string) => `ceil(${x})::int`]
      : [`toFloat64(${sql})`, "log", (x: string) => `toInt32(ceil(${x}))`];
  const magnitude = ceiling(`${log}(abs(nullIf(${double}, 0))) / ${Math.log(growth)}`);
  return `CASE WHEN ${sql} > 0 THEN ${offset} + ${magnitude} WHEN ${sql} = 0 THEN 0 ELSE -${offset} - ${magnitude} END`;
}

/** Returns a number within 1 % of every number in the bucket. With `isWhole`, the bucket contains whole numbers only. */
export function bucketMiddle(bucket: number, isWhole: boolean): number {
  if (bucket === 0) return 0;
  const index = Math.abs(bucket) - offset;
  let [low, high] = [growth ** (index - 1), growth ** index];
  if (isWhole) {
    // The factors allow for logarithms that were rounded.
    const [least, greatest] = [Math.floor(low * (1 + 1e-9)) + 1, Math.floor(high * (1 + 1e-9))];
    if (least <= greatest) [low, high] = [least, greatest];
  }
  const middle = (2 * low * high) / (low + high);
  const rounded = low === high ? middle : Number(middle.toPrecision(5));
  return bucket > 0 ? rounded : -rounded;
}
