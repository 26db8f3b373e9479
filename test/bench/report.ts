import type { Result } from "./measure.ts";
import type { Latency } from "./operations.ts";

/** Prints one workload: a row a side, and its throughput against (c), the bare server. */
export function printComparison(workload: string, results: readonly Result[]): void {
  const bare = results.find(({ side }) => side.startsWith("(c)"));
  console.log(`\n${workload}`);
  console.table(
    Object.fromEntries(
      results.map(({ side, perSecond, p50Ms, p99Ms, cpuUs, postgresUs }) => [
        side,
        {
          "requests/s": Math.round(perSecond),
          "ratio to (c)": bare === undefined ? Number.NaN : round(perSecond / bare.perSecond),
          "p50 ms": p50Ms,
          "p99 ms": p99Ms,
          "CPU µs/request": Math.round(cpuUs),
          "PostgreSQL µs/request": Math.round(postgresUs),
          "CPU ratio to (c)":
            bare === undefined ? Number.NaN : round((bare.cpuUs + bare.postgresUs) / (cpuUs + postgresUs)),
        },
      ]),
    ),
  );
}

/** Prints a row an operation. */
export function printLatencies(latencies: readonly Latency[]): void {
  console.table(
    Object.fromEntries(
      latencies.map(({ operation, p50Ms, p99Ms }) => [operation, { "p50 ms": round(p50Ms), "p99 ms": round(p99Ms) }]),
    ),
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
