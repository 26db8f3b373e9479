// Files to which a configuration of promptfoo refers, as far as the client has sent them.

import type { JsonValue } from "@bufbuild/protobuf";
import { type FileFormat, type ReadBudget, UnreadableText } from "@ems/kit/readers";
import { taskImportRowsMax } from "@ems/proto/limits";
import { readSource, type Source } from "../read-source.ts";
import { asText } from "../record.ts";
import { isGlob, matchesGlob } from "./glob.ts";
import { isCode, plainPath } from "./paths.ts";

/** A file of rows. */
export interface TestFile {
  readonly path: string;
  readonly source: Source;
}

/** All functions skip files that were not sent, and return nothing for code. Paths are relative to `folder`. */
export interface ConfigFiles {
  /** Returns the prompts of each file that the path or pattern names. */
  prompts(path: string): readonly (readonly string[])[];
  /** Returns each file of rows that the path or pattern names. */
  tests(path: string, folder?: string): readonly TestFile[];
  /** Returns the values of JSON and YAML files. */
  values(path: string, folder?: string): readonly JsonValue[];
  /** Returns the texts of files, as variables are filled with them. */
  texts(path: string): readonly string[];
}

const formats: Readonly<Record<string, FileFormat>> = {
  csv: "CSV",
  json: "JSON",
  jsonl: "JSONL",
  yaml: "YAML",
  yml: "YAML",
};
const extension = (path: string) => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";

export async function readConfigFiles(
  texts: Readonly<Record<string, string>>,
  budget: ReadBudget,
): Promise<ConfigFiles> {
  const byPath = new Map(Object.entries(texts).map(([path, text]) => [plainPath(path), text]));
  const sources = new Map<string, Source | UnreadableText>();
  for (const [path, content] of byPath) {
    const format = formats[extension(path)];
    if (format !== undefined) sources.set(path, await tryRead(path, content, format, budget));
  }
  const paths = [...byPath.keys()].sort();
  const matches = new Map<string, string[]>();
  const find = (path: string, folder?: string) => {
    const pattern = plainPath(path, folder);
    if (byPath.has(pattern)) return [pattern];
    if (!isGlob(pattern)) return [];
    const found = matches.get(pattern) ?? paths.filter((each) => matchesGlob(each, pattern));
    matches.set(pattern, found);
    return found;
  };
  const getSource = (path: string) => {
    const source = sources.get(path);
    if (source instanceof UnreadableText) throw source;
    return source === undefined ? [] : [{ path, source }];
  };
  /** Undefined for templates that are not YAML before they are filled. */
  const getDocument = (path: string) => {
    const source = sources.get(path);
    return source === undefined || source instanceof UnreadableText ? undefined : source.document;
  };
  const getText = (path: string) => {
    const document = extension(path).startsWith("y") ? getDocument(path) : undefined;
    return document === undefined ? (byPath.get(path) ?? "").trim() : JSON.stringify(document);
  };
  return {
    prompts: (path) =>
      find(path)
        .map((each) => splitPrompts(extension(each), byPath.get(each) ?? "", sources.get(each)))
        .filter((prompts) => prompts.length > 0),
    tests: (path, folder) => find(path, folder).flatMap(getSource),
    values: (path, folder) =>
      find(path, folder)
        .flatMap(getSource)
        .flatMap(({ source }) => source.document ?? []),
    texts: (path) => find(path).flatMap((each) => (isCode(each) ? [] : getText(each))),
  };
}

async function tryRead(path: string, content: string, format: FileFormat, budget: ReadBudget) {
  const refuse = ({ row, message }: { row: number; message: string }) => {
    throw new UnreadableText(`${path}: ${message}`, { row });
  };
  try {
    return await readSource({ format, content, rowsMax: taskImportRowsMax }, budget, refuse);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    // A template in such a file is no error.
    if (error.reason !== "INVALID") throw error;
    const isNamed = error.problem.startsWith(`${path}: `);
    return isNamed ? error : new UnreadableText(`${path}: ${error.problem}`, error.position);
  }
}

/** Splits a file into prompts, as the tool does. */
function splitPrompts(kind: string, text: string, source: Source | UnreadableText | undefined): string[] {
  const lines = text.split(/\r?\n/);
  const isFilled = (prompt: string) => prompt !== "";
  switch (kind) {
    case "md":
    case "j2":
    case "json":
      return [text.trim()].filter(isFilled);
    case "jsonl":
      return lines.map((line) => line.trim()).filter(isFilled);
    case "csv":
      return tablePrompts(lines, source).filter(isFilled);
    case "yaml":
    case "yml": {
      const document = source === undefined || source instanceof UnreadableText ? undefined : source.document;
      return [asText(document ?? text).trim()].filter(isFilled);
    }
    case "txt":
      return splitText(lines).filter(isFilled);
    default:
      return [];
  }
}

/** Splits at lines of three hyphens. */
function splitText(lines: readonly string[]): string[] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() === "---") parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.map((part) => part.join("\n").trim());
}

/** Reads the column `prompt`; without one, each line is a prompt. */
function tablePrompts(lines: readonly string[], source: Source | UnreadableText | undefined): string[] {
  const isTable = source !== undefined && !(source instanceof UnreadableText) && source.columns.length > 1;
  if (isTable) return source.records.map(({ values }) => asText(values.get("prompt") ?? "").trim());
  const prompts = lines.map((line) => line.trim()).filter((line) => line !== "");
  return prompts[0]?.toLowerCase() === "prompt" ? prompts.slice(1) : prompts;
}
