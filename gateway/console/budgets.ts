// Budgets for the size of scripts after brotli compression. A build that exceeds a budget fails.

import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** Budgets in kilobytes of 1,000 bytes. */
export const budgets = { firstLoad: 250, charts: 180 } as const;

/** Modules whose chunks the overview page loads first. It loads charts afterwards. */
const firstPage = ["index.html", "src/overview/overview-page.tsx"];
const charts = "src/charts/echarts.ts";

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

/** Returns the measured sizes as lines of text. Throws if a size exceeds its budget. */
export async function checkBudgets(directory: string, sizes: ReadonlyMap<string, number>): Promise<string[]> {
  const manifest: Manifest = JSON.parse(await readFile(join(directory, ".vite/manifest.json"), "utf8"));
  const first = loadedBy(manifest, firstPage);
  const ofCharts = [...loadedBy(manifest, [charts])].filter((file) => !first.has(file));
  const measured = { firstLoad: total([...first], sizes), charts: total(ofCharts, sizes) };
  const lines = Object.entries(measured).map(
    ([name, size]) => `${name}: ${size.toFixed(1)} of ${budgets[name as keyof typeof budgets]} KB (brotli)`,
  );
  const isWithin = measured.firstLoad <= budgets.firstLoad && measured.charts <= budgets.charts;
  if (!isWithin) throw new Error(`The console's scripts exceed their budget: ${lines.join(", ")}`);
  return lines;
}

/** Returns the files of the entries' chunks and of all chunks that they import statically. */
export function loadedBy(manifest: Manifest, entries: readonly string[]): Set<string> {
  const files = new Set<string>();
  const visit = (id: string) => {
    const chunk = manifest[id];
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const entry of entries) visit(entry);
  return files;
}

const total = (files: readonly string[], sizes: ReadonlyMap<string, number>) =>
  files.reduce((sum, file) => sum + (sizes.get(basename(file)) ?? 0), 0) / 1_000;
