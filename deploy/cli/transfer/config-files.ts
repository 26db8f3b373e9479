// Files in the folder of a configuration of promptfoo: those of its prompts, tests, defaults and variables.

import { glob, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { decodeBytes, ReadBudget, readYaml, recognizeFormat } from "@ems/kit/readers";
import type { Json } from "../api.ts";

const mib = 1024 * 1024;
const fileBytesMax = mib;
const filesMax = 100;
/** Leaves room in the request for the configuration. */
const filesBytesMax = 8 * fileBytesMax;
const depthMax = 20;
const readable = /\.(?:txt|md|j2|csv|json|jsonl|ya?ml|html?|xml|sql|rst|tsv|tex|log|toml|diff|graphql)$/i;
const isPattern = (path: string) => /[*?{]/.test(path);
const limits = { values: 1_000_000, columns: 0, depth: 100, bytes: 64 * fileBytesMax };

export interface FoundFiles {
  /** Texts by path, relative to the configuration. */
  readonly texts: Readonly<Record<string, string>>;
  /** Sentences about files that are not sent. */
  readonly omitted: readonly string[];
}

/** Reads files in the configuration's folder to which it refers; none for any other file. */
export async function readConfigFiles(file: string, content: string): Promise<FoundFiles> {
  if (content.length > 4 * fileBytesMax || !["YAML", "JSON"].includes(recognizeFormat(content)))
    return { texts: {}, omitted: [] };
  const folder = await realpath(dirname(file));
  const texts: Record<string, string> = {};
  const omitted = new Set<string>();
  let bytes = 0;
  const seen = new Set<string>();
  const add = async (path: string): Promise<string | undefined> => {
    const target = await realpath(join(folder, path)).catch(() => undefined);
    if (target === undefined) return undefined;
    // A link may lead out of the folder.
    if (!target.startsWith(`${folder}${sep}`)) return "is outside the folder of the configuration";
    const found = await stat(target);
    if (!found.isFile()) return undefined;
    if (found.size > fileBytesMax) return `is larger than ${fileBytesMax / mib} MiB`;
    if (bytes + found.size > filesBytesMax || Object.keys(texts).length === filesMax)
      return `is one too many: an import takes ${filesMax} files of ${filesBytesMax / mib} MiB in total`;
    bytes += found.size;
    texts[path] = decodeBytes(await readFile(target), new ReadBudget({ ...limits, bytes: fileBytesMax }));
    return undefined;
  };
  const queue = listPaths(await parse(content));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const path of await expandPath(folder, next)) {
      if (seen.has(path) || seen.size > 10 * filesMax) continue;
      seen.add(path);
      const reason = await add(path);
      if (reason !== undefined) omitted.add(`${path} ${reason}.`);
      const text = texts[path];
      // Files of tests and defaults name those of their variables.
      if (text !== undefined && /\.(?:ya?ml|jsonl?|csv)$/i.test(path)) queue.push(...(await listNested(path, text)));
    }
  }
  return { texts, omitted: [...omitted] };
}

async function parse(content: string): Promise<Json> {
  const documents = await Array.fromAsync(readYaml(content, new ReadBudget(limits))).catch(() => []);
  return documents[0];
}

/** Lists the paths of prompts, tests and variables, and others with the prefix `file://`. */
function listPaths(config: Json): string[] {
  const { prompts } = config ?? {};
  const isMap = typeof prompts === "object" && !Array.isArray(prompts);
  const named = [isMap ? Object.keys(prompts ?? {}) : (prompts ?? []), config?.tests ?? []]
    .flat()
    .map((entry: Json) => entry?.raw ?? entry?.path ?? entry?.id ?? entry);
  const paths = [...named, ...prefixed(config, 0)].filter((path) => typeof path === "string");
  return paths.map((path) => plainPath(path, ""));
}

async function listNested(path: string, text: string): Promise<string[]> {
  const folder = dirname(path);
  const found = [...text.matchAll(/file:\/\/[^\s"',{}[\]]+/g)].map(([named]) => named);
  const document = /\.(?:ya?ml|json)$/i.test(path) ? await parse(text) : undefined;
  const all = [...found, ...prefixed(document, 0)];
  // Variables of a test are relative to its file, and the rest to the configuration.
  return [...all.map((each) => plainPath(each, "")), ...all.map((each) => plainPath(each, folder))];
}

/** Finds the texts with the prefix `file://` in a value, and the files of a test's variables. */
function prefixed(value: Json, depth: number): string[] {
  if (typeof value === "string") return value.startsWith("file://") ? [value] : [];
  if (typeof value !== "object" || value === null || depth > depthMax) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const files = key === "vars" ? [member].flat().filter((each) => typeof each === "string") : [];
    return [...files.map(String), ...prefixed(member, depth + 1)];
  });
}

/** Returns the path relative to the configuration. */
function plainPath(path: string, folder: string): string {
  return join(folder, path.replace(/^file:\/\//, ""))
    .split(sep)
    .join("/");
}

/** Returns readable paths: that of a file, or those that a pattern matches, sorted. */
async function expandPath(folder: string, path: string): Promise<string[]> {
  if (path.length > 500 || path.startsWith("/") || /[\\:\r\n]/.test(path)) return [];
  if (!isPattern(path)) return readable.test(path) ? [path] : [];
  if (path.startsWith("../")) return [];
  const exclude = (name: string) => name === "node_modules" || name.startsWith(".");
  const found = await Array.fromAsync(glob(path, { cwd: folder, exclude }));
  return found
    .filter((name) => readable.test(name))
    .sort()
    .map((name) => name.split(sep).join("/"));
}
