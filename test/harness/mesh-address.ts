// The processes of a mesh that a test started, as the launcher leaves word of them.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessName } from "@ems/deploy/mesh";
import type { RunningProcess } from "@ems/dev/running";
import type { ProductFacts } from "./product.ts";

export type MeshProcessFacts = RunningProcess & { readonly pid: number };

/** The process of that name. */
export async function processOf(
  { dataDir }: Pick<ProductFacts, "dataDir">,
  name: ProcessName,
): Promise<MeshProcessFacts> {
  const processes: MeshProcessFacts[] = JSON.parse(await readFile(join(dataDir, "mesh.json"), "utf8"));
  const found = processes.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name} in the mesh`);
  return found;
}

/** What of the process lies in memory, in MiB. */
export async function residentMb({ pid }: MeshProcessFacts): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
