// Loss of a process of the mesh on one machine: it is reported with name and reason, and nothing is left behind.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { isAlive } from "../harness/alive.ts";
import { type Product, startProduct } from "../harness/product.ts";

interface Process {
  readonly name: string;
  readonly pid: number;
}

let product: Product | undefined;
afterEach(() => product?.remove());

test.each(["identity", "catalog", "gateway"])("when %s is killed, the rest is stopped", async (name) => {
  product = await startProduct("mesh");
  const processes: Process[] = JSON.parse(await readFile(join(product.facts.dataDir, "mesh.json"), "utf8"));
  const victim = processes.find((each) => each.name === name);
  if (victim === undefined) throw new Error(`no ${name} in the mesh`);
  process.kill(victim.pid, "SIGKILL");
  expect(await product.ended).toBe(1);
  expect(product.stderr()).toContain(`${name} (process ${victim.pid}) ended, killed by SIGKILL. Stopping the rest.`);
  expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
});

test("when the mesh itself is killed, its processes stop by themselves", async () => {
  product = await startProduct("mesh");
  const processes: Process[] = JSON.parse(await readFile(join(product.facts.dataDir, "mesh.json"), "utf8"));
  product.process.kill("SIGKILL");
  await product.ended;
  await expect.poll(() => processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
});
