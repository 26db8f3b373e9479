// Puts sides under load in turn, and measures the CPU time per request.

import autocannon from "autocannon";
import { cpuUs, getFamily, untilIdle } from "./processes.ts";
import type { Side } from "./sides.ts";
import { median } from "./statistics.ts";

export interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

export interface Options {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

/** Medians over the rounds. */
export interface Result {
  readonly perSecond: number;
  /** CPU time per request under load, in µs: of the side's processes including PostgreSQL, and of PostgreSQL alone. */
  readonly cpuUs: number;
  readonly postgresUs: number;
  /** CPU time until all processes are idle, including work after the answers. */
  readonly untilIdleUs: number;
}

/**
 * A number rather than a duration, so that the machine's speed does not matter. A read takes 408 µs of CPU at first,
 * 300 after 6,000 and 210 after 20,000, when V8 has optimized most of it; writes, which follow, share that code.
 */
export const warmUpRequests = { GET: 20_000, POST: 6_000 } as const;

/** Puts sides under load in turn, in opposite order every other round, so that the machine's drift affects all. */
export async function measure<S extends Side>(
  sides: readonly S[],
  request: (side: S) => Request,
  { seconds, rounds, connections }: Options,
): Promise<Map<S, Result>> {
  for (const side of sides) {
    const send = request(side);
    await load(side, send, { amount: warmUpRequests[send.method], connections });
    await untilIdle([...side.pids, side.postgresPid]);
  }
  const runs = new Map<S, Result[]>(sides.map((side) => [side, []]));
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const spent = () => ({ own: cpuUs(side.pids), postgres: cpuUs(getFamily(side.postgresPid)) });
      const before = spent();
      const { requests } = await load(side, request(side), { duration: seconds, connections });
      const after = spent();
      await untilIdle([...side.pids, side.postgresPid]);
      const last = spent();
      const total = ({ own, postgres }: typeof before) =>
        (own + postgres - before.own - before.postgres) / requests.total;
      runs.get(side)?.push({
        perSecond: requests.total / seconds,
        cpuUs: total(after),
        postgresUs: (after.postgres - before.postgres) / requests.total,
        untilIdleUs: total(last),
      });
    }
  }
  return new Map([...runs].map(([side, results]) => [side, medians(results)]));
}

function medians(results: readonly Result[]): Result {
  const of = (key: keyof Result) => median(results.map((result) => result[key]));
  return {
    perSecond: of("perSecond"),
    cpuUs: of("cpuUs"),
    postgresUs: of("postgresUs"),
    untilIdleUs: of("untilIdleUs"),
  };
}

/** Sends requests as fast as the connections permit, one at a time on each. Fails if an answer is not 2xx. */
export async function load(
  { baseUrl, headers }: Side,
  { method, path, body }: Request,
  options: { readonly connections: number; readonly duration?: number; readonly amount?: number },
) {
  const url = baseUrl + path;
  const result = await autocannon({ url, method, headers, ...options, ...(body && { body }) });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${method} ${url}: ${failed} of ${result.requests.total} requests failed`);
  return result;
}
