// The 99th percentile of a read at half of the server's maximum rate.

import { Agent, request } from "node:http";
import type { Shape } from "../harness/product.ts";
import { load, warmUpRequests } from "./measure.ts";
import { openLoop } from "./open-loop.ts";
import type { Figure } from "./page.ts";
import type { Bench, Part } from "./part.ts";
import type { Side } from "./sides.ts";
import { median, percentile } from "./statistics.ts";
import { startSides } from "./throughput.ts";

export const tail: Part = {
  title: "Read at half of the highest throughput",
  note: `\`GET /v0/topics/{id}\` at a fixed rate, half of what this commit's product answers at most, on every side; (c) as above. A
request's time runs from the moment at which it is due, so that a stall counts for all that wait (no coordinated omission).`,
  measure: measureTail,
};

const probeSeconds = 3;
/** Below the limit of requests per application that wait for a connection. Waiting for a socket counts as latency. */
const socketsMax = 64;

async function measureTail(bench: Bench): Promise<Figure[]> {
  await using stack = new AsyncDisposableStack();
  const { products, bare } = await startSides(bench, stack);
  const { seconds = 4, rounds = 3, connections } = bench.options;
  const figures: Figure[] = [];
  const path = ({ topicId }: Side) => `/v0/topics/${topicId}`;
  for (const { shape, sides } of products) {
    const all = [...sides, bare.same];
    const highest: number[] = [];
    for (const side of all) {
      const read = { method: "GET", path: path(side) } as const;
      await load(side, read, { amount: warmUpRequests.GET, connections });
      const { requests } = await load(side, read, { duration: probeSeconds, connections });
      highest.push(requests.total / probeSeconds);
    }
    const perSecond = Math.round((highest[0] ?? 0) / 2);
    const times = new Map<Side, { p50: number[]; p99: number[] }>(all.map((side) => [side, { p50: [], p99: [] }]));
    for (let round = 0; round < rounds; round++) {
      for (const side of round % 2 === 0 ? all : all.toReversed()) {
        const measured = await readAt(side, path(side), perSecond, seconds);
        times.get(side)?.p50.push(percentile(measured, 50));
        times.get(side)?.p99.push(percentile(measured, 99));
      }
    }
    for (const which of ["p50", "p99"] as const) {
      const [now = Number.NaN, ...baselines] = all.map((side) => median(times.get(side)?.[which] ?? []));
      const baseline = { what: "(c)", value: baselines.at(-1) ?? Number.NaN };
      const figure = { what: `${getName(shape)}, ${perSecond} reads/s: ${which}`, unit: "ms", baseline } as const;
      const [compared] = baselines.length > 1 ? baselines : [];
      figures.push({
        ...figure,
        value: now,
        ...(which === "p99" && { aim: "≥ 0.33" }),
        ...(compared !== undefined && { compared: { ...figure, value: compared } }),
      });
    }
  }
  return figures;
}

function getName(shape: Shape): string {
  return shape === "one" ? "one process" : "mesh";
}

async function readAt({ baseUrl, headers }: Side, path: string, perSecond: number, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: socketsMax });
  const url = new URL(path, baseUrl);
  try {
    return await openLoop(perSecond, seconds, () => get(url, headers, agent));
  } finally {
    agent.destroy();
  }
}

function get(url: URL, headers: Side["headers"], agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { agent, headers }, (response) => {
      const { statusCode } = response;
      response.on("error", reject).resume();
      response.on("end", () => (statusCode === 200 ? resolve() : reject(new Error(`GET ${url}: ${statusCode}`))));
    });
    sending.on("error", reject).end();
  });
}
