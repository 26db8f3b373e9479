// Files next to a configuration of promptfoo: those of its prompts and tests.

import { readFile, stat } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { decodeBytes, ReadBudget, readYaml, recognizeFormat } from "@ems/kit/readers";
import type { Json } from "../api.ts";

const fileBytesMax = 1024 * 1024;
const filesMax = 100;
const limits = { values: 1_000_000, columns: 0, depth: 100, bytes: 64 * fileBytesMax };

/** Returns the texts of files in the configuration's folder to which it refers, by path; empty for any other file. */
export async function readConfigFiles(file: string, content: string): Promise<Record<string, string>> {
  if (content.length > 4 * fileBytesMax || !["YAML", "JSON"].includes(recognizeFormat(content))) return {};
  const documents = await Array.fromAsync(readYaml(content, new ReadBudget(limits))).catch(() => []);
  const [config] = documents as Json[];
  const paths = [config?.prompts ?? [], config?.tests ?? []].flat().flatMap(filePath);
  const folder = dirname(resolve(file));
  const texts: Record<string, string> = {};
  for (const path of [...new Set(paths)].slice(0, filesMax)) {
    const target = resolve(folder, path);
    const size = target.startsWith(`${folder}${sep}`) ? (await stat(target).catch(() => undefined))?.size : undefined;
    if (size === undefined || size > fileBytesMax) continue;
    texts[path] = decodeBytes(await readFile(target), new ReadBudget({ ...limits, bytes: fileBytesMax }));
  }
  return texts;
}

function filePath(entry: Json): string[] {
  const path = typeof entry === "string" ? entry : (entry?.raw ?? entry?.id);
  if (typeof path !== "string" || path.length > 500 || /[\r\n]/.test(path)) return [];
  return /\.(?:txt|md|j2|csv|jsonl?|ya?ml)$/i.test(path)
    ? [path.replace(/^file:\/\//, "").replace(/^(?:\.\/)+/, "")]
    : [];
}
