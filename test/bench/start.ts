// Time until `npm start` and `npm run mesh` are ready, on an existing installation.

import { type Shape, startProduct } from "../harness/product.ts";
import { benchDirectory } from "./directory.ts";
import type { Figure, Measurement } from "./page.ts";
import { type Bench, type Part, roundsInTurn } from "./part.ts";
import { cpuUs, getFamily } from "./processes.ts";

export const start: Part = {
  title: "Start",
  note: `Until the product is ready, with its packages, its database and its compile cache there: its own PostgreSQL starts first. CPU is
that of the product, its console included, and of PostgreSQL.`,
  measure: measureStart,
};

async function measureStart({ versions, options }: Bench): Promise<Figure[]> {
  await using stack = new AsyncDisposableStack();
  const figures: Figure[] = [];
  for (const shape of options.shapes) {
    const products = [];
    for (const { root } of versions) {
      const dataDir = await benchDirectory(stack);
      await startOnce(shape, root, dataDir);
      products.push(() => startOnce(shape, root, dataDir));
    }
    figures.push(...(await roundsInTurn(products, options.rounds ?? 5)));
  }
  return figures;
}

async function startOnce(shape: Shape, root: string, dataDir: string): Promise<Measurement[]> {
  const startMs = performance.now();
  const product = await startProduct(shape, { root, dataDir, env: { CONSOLE: "on" } });
  const seconds = (performance.now() - startMs) / 1_000;
  const cpuSeconds = cpuUs(getFamily(product.process.pid ?? 0)) / 1e6;
  await product.stop();
  const name = shape === "one" ? "one process" : "mesh";
  return [
    { what: `${name}: ready after`, unit: "s", value: seconds },
    { what: `${name}: CPU`, unit: "s", value: cpuSeconds },
  ];
}
