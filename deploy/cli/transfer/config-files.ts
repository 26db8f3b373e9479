// Files in the folder of a configuration of promptfoo: those of its prompts, tests and variables.

import { glob, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { decodeBytes, ReadBudget, readYaml, recognizeFormat } from "@ems/kit/readers";
import type { Json } from "../api.ts";

const fileBytesMax = 1024 * 1024;
const filesMax = 100;
/** Leaves room in the request for the configuration. */
const filesBytesMax = 8 * fileBytesMax;
const depthMax = 20;
const readable = /\.(?:txt|md|j2|csv|json|jsonl|ya?ml|html?|xml)$/i;
const isPattern = (path: string) => /[*?{]/.test(path);
const limits = { values: 1_000_000, columns: 0, depth: 100, bytes: 64 * fileBytesMax };

/** Returns the texts of files in the configuration's folder to which it refers, by path; empty for any other file. */
export async function readConfigFiles(file: string, content: string): Promise<Record<string, string>> {
  if (content.length > 4 * fileBytesMax || !["YAML", "JSON"].includes(recognizeFormat(content))) return {};
  const documents = await Array.fromAsync(readYaml(content, new ReadBudget(limits))).catch(() => []);
  const [config] = documents as Json[];
  const folder = await realpath(dirname(file));
  const texts: Record<string, string> = {};
  let bytes = 0;
  // A set yields what is added meanwhile: files of tests name those of their variables.
  const paths = new Set(await expandPaths(folder, listPaths(config)));
  for (const path of paths) {
    if (Object.keys(texts).length === filesMax) break;
    // A link may lead out of the folder.
    const target = await realpath(join(folder, path)).catch(() => undefined);
    if (target?.startsWith(`${folder}${sep}`) !== true) continue;
    const found = await stat(target);
    if (!found.isFile() || found.size > fileBytesMax || bytes + found.size > filesBytesMax) continue;
    bytes += found.size;
    const text = decodeBytes(await readFile(target), new ReadBudget({ ...limits, bytes: fileBytesMax }));
    texts[path] = text;
    if (/\.(?:ya?ml|jsonl?|csv)$/i.test(path))
      for (const [named] of text.matchAll(/file:\/\/[^\s"',{}[\]]+/g))
        for (const each of plainPath(named)) paths.add(each);
  }
  return texts;
}

/** Lists the files of prompts and tests, and others with the prefix `file://`, as far as they lie in the folder. */
function listPaths(config: Json): string[] {
  const named = [config?.prompts ?? [], config?.tests ?? []]
    .flat()
    .map((entry: Json) => entry?.raw ?? entry?.id ?? entry);
  const paths = [...named, ...prefixed(config, 0)].flatMap((path) => (typeof path === "string" ? plainPath(path) : []));
  return [...new Set(paths)].slice(0, filesMax);
}

/** Finds the texts with the prefix `file://` in a value. */
function prefixed(value: Json, depth: number): string[] {
  if (typeof value === "string") return value.startsWith("file://") ? [value] : [];
  if (typeof value !== "object" || value === null || depth > depthMax) return [];
  return Object.values(value).flatMap((member) => prefixed(member, depth + 1));
}

function plainPath(path: string): string[] {
  const plain = path.replace(/^file:\/\//, "").replace(/^(?:\.\/)+/, "");
  const isInside = !plain.startsWith("/") && !plain.split("/").includes("..") && !/[\\:\r\n]/.test(plain);
  return isInside && plain.length <= 500 && (isPattern(plain) || readable.test(plain)) ? [plain] : [];
}

/** Replaces patterns by the paths that they match, sorted. */
async function expandPaths(folder: string, paths: readonly string[]): Promise<string[]> {
  const expanded = new Set<string>();
  for (const path of paths) {
    if (!isPattern(path)) expanded.add(path);
    else {
      const exclude = (name: string) => name === "node_modules" || name.startsWith(".");
      const found = await Array.fromAsync(glob(path, { cwd: folder, exclude }));
      for (const each of found.filter((name) => readable.test(name)).sort()) expanded.add(each.split(sep).join("/"));
    }
  }
  return [...expanded].slice(0, filesMax);
}
