// A small installation with an archive but nothing to archive, compared with the same one without an archive.

import { newId } from "@ems/kit/id";
import type { Version } from "../checkout.ts";
import { startGround } from "../ground.ts";
import type { Figure } from "../page.ts";
import { type ProductSide, startProductSide } from "../sides.ts";
import { median } from "../statistics.ts";
import { measureTimes, type Request } from "./requests.ts";
import { startEngine } from "./stores.ts";

const repetitions = 100;
const step = { type: "llm", name: "answer", input: "Which fee has a transfer? ".repeat(20), output: "None." };

const requests: readonly (() => Request)[] = [
  () => ({ name: "a topic", path: "/v0/topics" }),
  () => ({ name: "traces", path: "/v0/traces" }),
  () => ({ name: "a search", path: "/v0/traces?search=transfer" }),
  () => ({
    name: "a report",
    path: "/v0/reporting/query",
    body: { datasource: "eval", timezone: "UTC", measurements: [{ type: "count" }] },
  }),
  () => ({
    name: "a trace of three steps, ingested",
    path: "/v0/ingest",
    body: { events: [{ type: "trace", traceId: newId(), steps: [step, step, step] }] },
  }),
];

export async function measureSmall(version: Version, rounds: number): Promise<Figure[]> {
  await using stack = new AsyncDisposableStack();
  const ground = async () => startGround(version, stack);
  const [offGround, onGround] = [await ground(), await ground()];
  const CLICKHOUSE_URL = await startEngine(onGround, stack);
  const off = await startProductSide("one", offGround, stack);
  const on = await startProductSide("one", onGround, stack, { CLICKHOUSE_URL });
  const [offMs, onMs] = [new Map<string, number[]>(), new Map<string, number[]>()];
  const round = async (side: ProductSide, into: Map<string, number[]>) => {
    for (const request of requests)
      for (const [name, { ms }] of await measureTimes(side, [request], repetitions))
        into.set(name, [...(into.get(name) ?? []), ms]);
  };
  for (let at = 0; at < rounds; at++) {
    for (const each of at % 2 === 0 ? [off, on] : [on, off]) await round(each, each === off ? offMs : onMs);
  }
  return [...onMs].map(([name, ms]) => ({
    what: `small: ${name}, archive on`,
    unit: "ms",
    value: median(ms),
    baseline: { what: "off", value: median(offMs.get(name) ?? []) },
  }));
}
