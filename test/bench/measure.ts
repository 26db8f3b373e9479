import { readdirSync, readFileSync } from "node:fs";
import autocannon from "autocannon";
import type { Side } from "./sides.ts";

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
  readonly side: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time a request, in µs: of the side's own processes, and of PostgreSQL. */
  readonly cpuUs: number;
  readonly postgresUs: number;
}

const warmUpSeconds = 2;
/** /proc counts CPU time in these. */
const tickUs = 10_000;

/** Puts each side under load in turn, round after round, so that a machine that slows down slows all of them. */
export async function measure(
  sides: readonly Side[],
  request: (side: Side) => Request,
  postgresPid: number,
  { seconds, rounds, connections }: Options,
): Promise<Result[]> {
  for (const side of sides) await load(side, request(side), warmUpSeconds, connections);
  const runs = new Map<Side, Result[]>(sides.map((side) => [side, []]));
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) {
      const own = () => cpuUs(side.pids);
      const postgres = () => cpuUs([postgresPid, ...childrenOf(postgresPid)]);
      const before = [own(), postgres()] as const;
      const { requests, latency } = await load(side, request(side), seconds, connections);
      const spent = [own() - before[0], postgres() - before[1]] as const;
      runs.get(side)?.push({
        side: side.name,
        perSecond: requests.total / seconds,
        p50Ms: latency.p50,
        p99Ms: latency.p99,
        cpuUs: spent[0] / requests.total,
        postgresUs: spent[1] / requests.total,
      });
    }
  }
  return [...runs].map(([side, results]) => ({
    side: side.name,
    perSecond: median(results.map((one) => one.perSecond)),
    p50Ms: median(results.map((one) => one.p50Ms)),
    p99Ms: median(results.map((one) => one.p99Ms)),
    cpuUs: median(results.map((one) => one.cpuUs)),
    postgresUs: median(results.map((one) => one.postgresUs)),
  }));
}

async function load(
  { name, baseUrl, headers }: Side,
  { method, path, body }: Request,
  duration: number,
  connections: number,
) {
  const result = await autocannon({
    url: baseUrl + path,
    method,
    headers,
    duration,
    connections,
    ...(body && { body }),
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${name}: ${failed} of ${result.requests.total} requests failed`);
  return result;
}

function cpuUs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid) * tickUs, 0);
}

/** User and system time of a process and of its children that have ended. */
function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => {
      try {
        return readFileSync(`/proc/${other}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === String(pid);
      } catch {
        return false;
      }
    });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
