// Memory of the idle product. RSS is the memory of a process by itself; PSS divides the pages that processes share. PSS
// suits PostgreSQL, whose processes share memory, and is too low for one of several Node.js processes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Shape, startProduct } from "../harness/product.ts";
import { benchDirectory } from "./directory.ts";
import { startGround } from "./ground.ts";
import type { Figure, Measurement } from "./page.ts";
import type { Bench, Part } from "./part.ts";
import { getFamily } from "./processes.ts";

export const memory: Part = {
  title: "Memory at rest",
  note: "After a start that was not the first, and two and a half minutes without a request; all processes together.",
  measure: measureMemory,
};

/** The difference is the console's memory. */
const consoles = ["on", "off"] as const;

interface Started {
  readonly shape: Shape;
  readonly console: (typeof consoles)[number];
  readonly pid: number;
}

/** V8 releases memory that only the start needed after a minute or two with little work. */
const quietMs = 150_000;

async function measureMemory({ versions, options }: Bench): Promise<Figure[]> {
  await using stack = new AsyncDisposableStack();
  const products: Started[][] = [];
  for (const version of versions) {
    const { natsUrl } = await startGround(version, stack);
    const ofVersion = [];
    for (const [shape, console] of options.shapes.flatMap((each) => consoles.map((is) => [each, is] as const))) {
      const dataDir = await benchDirectory(stack);
      // Measures a later start: the launcher has cached compiled code, which the image includes.
      const env = { CONSOLE: console, NATS_URL: natsUrl, NODE_COMPILE_CACHE: join(dataDir, "compiled") };
      await (await startProduct(shape, { dataDir, env, root: version.root })).stop();
      const product = await startProduct(shape, { dataDir, env, root: version.root });
      stack.defer(async () => void (await product.stop()));
      ofVersion.push({ shape, console, pid: product.process.pid ?? 0 });
    }
    products.push(ofVersion);
  }
  await delay(quietMs);
  const [now = [], compared] = products.map((ofVersion) => ofVersion.flatMap(measurements));
  return now.map((figure, at) => ({ ...figure, compared: compared?.[at] }));
}

function measurements({ shape, console, pid }: Started): Measurement[] {
  const processes = getFamily(pid).map((each) => ({
    command: procFile(each, "cmdline"),
    memory: procFile(each, "smaps_rollup"),
  }));
  const isPostgres = ({ command }: { command: string }) => command.split("\0")[0]?.includes("postgres");
  const postgres = processes.filter(isPostgres);
  const product = processes.filter((each) => !isPostgres(each));
  const name = `${shape === "one" ? "one process" : `mesh, ${product.length} processes`}, console ${console}`;
  return [
    { what: `${name}: RSS`, unit: "MiB", value: mebibytes(product, "Rss") },
    { what: `${name}: its PostgreSQL, RSS`, unit: "MiB", value: mebibytes(postgres, "Rss") },
    { what: `${name}: its PostgreSQL, PSS`, unit: "MiB", value: mebibytes(postgres, "Pss") },
  ];
}

/** Returns the total RSS of the processes, in MiB. */
export function residentMib(pids: readonly number[]): number {
  return mebibytes(
    pids.map((pid) => ({ memory: procFile(pid, "smaps_rollup") })),
    "Rss",
  );
}

function mebibytes(processes: readonly { memory: string }[], which: "Pss" | "Rss"): number {
  const kb = ({ memory }: { memory: string }) => Number(new RegExp(`^${which}:\\s+(\\d+)`, "m").exec(memory)?.[1] ?? 0);
  return processes.reduce((sum, each) => sum + kb(each), 0) / 1024;
}

/** Returns an empty text if the process has ended meanwhile, as PostgreSQL's do. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
