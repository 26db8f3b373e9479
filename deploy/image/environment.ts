import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The environment of every process of the image, as the Dockerfile sets it: one variable a line. */
export async function imageEnvironment(): Promise<Record<string, string>> {
  const text = await readFile(join(import.meta.dirname, "../Dockerfile"), "utf8");
  return Object.fromEntries([...text.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]));
}
