import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Reads the environment of the image's processes from the Dockerfile, one variable per line. */
export async function imageEnvironment(): Promise<Record<string, string>> {
  const text = await readFile(join(import.meta.dirname, "../Dockerfile"), "utf8");
  return Object.fromEntries([...text.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]));
}
