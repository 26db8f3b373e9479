// A release needs a recent list of prices.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../versions.ts";

export const listFile = join(root, "services/prices/src/prices.json");

const daysMax = 60;
const dayMs = 86_400_000;

/** Returns the day on which the list of prices was written. */
export async function pricesReadAt(): Promise<string> {
  const { source } = JSON.parse(await readFile(listFile, "utf8"));
  return source.readAt;
}

/** Throws if the list of prices is too old for a release. */
export function assertRecentPrices(readAt: string, now: Date): void {
  const days = Math.floor((now.getTime() - Date.parse(readAt)) / dayMs);
  if (days <= daysMax) return;
  throw new Error(
    `The list of model prices is ${days} days old, at most ${daysMax} are allowed: update @pydantic/genai-prices in pnpm-workspace.yaml, run npm run prices and commit the files.`,
  );
}
