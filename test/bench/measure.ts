// Load on sides in turn, and the CPU time that a request takes.

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
  /** CPU time a request while they last, in µs: of the side's own processes and PostgreSQL, and of PostgreSQL alone. */
  readonly cpuUs: number;
  readonly postgresUs: number;
  /** Until all processes are idle: with what follows an answer. */
  readonly untilIdleUs: number;
}

/**
 * So many, not so long, whatever the machine does meanwhile. A read of the product takes 408 µs of CPU at first, 300 after
 * 6,000 and 210 after 20,000, when V8 has optimized most of it; a write, which comes after, shares that code.
 */
export const warmUpRequests = { GET: 20_000, POST: 6_000 } as const;

/** Puts each side under load in turn, in the opposite order each round, so that a drift of the machine meets all of them. */
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

/** As many requests as the connections can make, each with one at a time. Fails when one is not answered with 2xx. */
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
