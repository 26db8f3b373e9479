// How much memory the product takes when nobody asks anything of it: in one process with its PostgreSQL, and as a mesh.
// RSS is what a process would take alone; PSS divides the pages that processes share, so it is what PostgreSQL takes, whose
// processes have one memory, and too little for one of several Nodes.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Shape, startProduct } from "../harness/product.ts";

export interface MemoryRow {
  readonly what: string;
  readonly "PSS MiB": number;
  readonly "RSS MiB": number;
}

/** V8 gives back what only the start needed when there was little to do for a minute or two. */
const settleMs = 150_000;

/** One process, its PostgreSQL; then each process of the mesh. */
export async function measureMemory(dataDir: string, natsUrl: string): Promise<MemoryRow[]> {
  const one = await measure("one", join(dataDir, "one"), natsUrl);
  const mesh = await measure("mesh", join(dataDir, "mesh"), natsUrl);
  const processes = mesh.names.map(({ name, pid }) => sum(mesh, `mesh: ${name}`, (process) => process.pid === pid));
  return [sum(one, "one process", isNode), sum(one, "its PostgreSQL", isPostgres), ...processes];
}

interface Process {
  readonly pid: number;
  readonly command: string;
  readonly pssKb: number;
  readonly rssKb: number;
}

interface Measured {
  readonly processes: readonly Process[];
  readonly names: { name: string; pid: number }[];
}

const isPostgres = ({ command }: Process) => command.includes("postgres");
const isNode = (process: Process) => !isPostgres(process);

async function measure(shape: Shape, dataDir: string, natsUrl: string): Promise<Measured> {
  // As from any start but the first: the launcher keeps what was compiled, and the image comes with it.
  const env = { NATS_URL: natsUrl, NODE_COMPILE_CACHE: join(dataDir, "../compiled") };
  await (await startProduct(shape, { dataDir, env })).stop();
  const product = await startProduct(shape, { dataDir, env });
  try {
    await delay(settleMs);
    const processes = await familyOf(product.process.pid ?? 0);
    const names = shape === "mesh" ? JSON.parse(await readFile(join(dataDir, "mesh.json"), "utf8")) : [];
    return { processes, names };
  } finally {
    await product.stop();
  }
}

function sum({ processes }: Measured, what: string, isOne: (process: Process) => boolean): MemoryRow {
  const ones = processes.filter(isOne);
  const mebibytes = (kb: (process: Process) => number) =>
    Math.round(ones.reduce((total, one) => total + kb(one), 0) / 1024);
  return { what, "PSS MiB": mebibytes(({ pssKb }) => pssKb), "RSS MiB": mebibytes(({ rssKb }) => rssKb) };
}

/** The process and all that descend from it. */
async function familyOf(root: number): Promise<Process[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map<number, number>();
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    parents.set(pid, Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
  }
  const isOfIt = (pid: number | undefined): boolean => pid === root || (pid ? isOfIt(parents.get(pid)) : false);
  return Promise.all(pids.filter(isOfIt).map(read));
}

async function read(pid: number): Promise<Process> {
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(rollup)?.[1]);
  return { pid, command: command.split("\0")[0] ?? "", pssKb: kb("Pss"), rssKb: kb("Rss") };
}
