// How much memory the product takes when nobody calls it. RSS is what a process would take alone; PSS divides the pages
// that processes share, so it is what PostgreSQL takes, whose processes have one memory, and too little for one of several Nodes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Shape, startProduct } from "../harness/product.ts";
import { benchDirectory } from "./directory.ts";
import { startGround } from "./ground.ts";
import type { Figure, Measurement } from "./page.ts";
import type { Bench, Part } from "./part.ts";
import { familyOf } from "./processes.ts";

export const memory: Part = {
  title: "Memory at rest",
  note: "After a start that was not the first, and two and a half minutes without a request; all processes together.",
  measure: measureMemory,
};

/** V8 gives back what only the start needed when there was little to do for a minute or two. */
const settleMs = 150_000;

async function measureMemory({ versions, options }: Bench): Promise<Figure[]> {
  await using stack = new AsyncDisposableStack();
  const products: { shape: Shape; pids: number[] }[][] = [];
  for (const version of versions) {
    const { natsUrl } = await startGround(version, stack);
    const ofVersion = [];
    for (const shape of options.shapes) {
      const dataDir = await benchDirectory(stack);
      // As from any start but the first: the launcher keeps what was compiled, and the image comes with it.
      const env = { NATS_URL: natsUrl, NODE_COMPILE_CACHE: join(dataDir, "compiled") };
      await (await startProduct(shape, { dataDir, env, root: version.root })).stop();
      const product = await startProduct(shape, { dataDir, env, root: version.root });
      stack.defer(async () => void (await product.stop()));
      ofVersion.push({ shape, pids: familyOf(product.process.pid ?? 0) });
    }
    products.push(ofVersion);
  }
  await delay(settleMs);
  const [now = [], compared] = products.map((ofVersion) => ofVersion.flatMap(measurements));
  return now.map((figure, at) => ({ ...figure, compared: compared?.[at] }));
}

function measurements({ shape, pids }: { shape: Shape; pids: readonly number[] }): Measurement[] {
  const isPostgres = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0]?.includes("postgres");
  const postgres = pids.filter(isPostgres);
  const product = pids.filter((pid) => !isPostgres(pid));
  const name = shape === "one" ? "one process" : `mesh, ${product.length} processes`;
  return [
    { what: `${name}: RSS`, unit: "MiB", value: mebibytes(product, "Rss") },
    { what: `${name}: its PostgreSQL, RSS`, unit: "MiB", value: mebibytes(postgres, "Rss") },
    { what: `${name}: its PostgreSQL, PSS`, unit: "MiB", value: mebibytes(postgres, "Pss") },
  ];
}

function mebibytes(pids: readonly number[], which: "Pss" | "Rss"): number {
  const kb = (pid: number) =>
    Number(new RegExp(`^${which}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]);
  return pids.reduce((sum, pid) => sum + kb(pid), 0) / 1024;
}
