// Processes of a mesh that a test started, from the launcher's file.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessName } from "@ems/deploy/mesh";
import type { RunningProcess } from "@ems/dev/running";
import type { ProductFacts } from "./product.ts";

export type MeshProcessFacts = RunningProcess & { readonly pid: number };

/** Returns the process of that name. */
export async function findProcess(
  { dataDir }: Pick<ProductFacts, "dataDir">,
  name: ProcessName,
): Promise<MeshProcessFacts> {
  const processes: MeshProcessFacts[] = JSON.parse(await readFile(join(dataDir, "mesh.json"), "utf8"));
  const found = processes.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no ${name} in the mesh`);
  return found;
}
