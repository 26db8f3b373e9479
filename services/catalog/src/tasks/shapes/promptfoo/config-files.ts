// Files to which a configuration of promptfoo refers, as far as the client has sent them.

import type { JsonValue } from "@bufbuild/protobuf";
import { type ReadBudget, UnreadableText } from "@ems/kit/readers";
import { taskImportRowsMax } from "@ems/proto/limits";
import { readSource, type Source } from "../read-source.ts";
import { isObject } from "../record.ts";
import { isGlob, matchesGlob } from "./glob.ts";

export interface ConfigFiles {
  /** Returns the prompts of each file that the path or pattern names, without files that were not sent, or are code. */
  prompts(path: string): readonly (readonly string[])[];
  /** Returns the rows of each file of tests that the path or pattern names, without files that were not sent. */
  tests(path: string): readonly Source[];
  /** Returns the text of a file; undefined if it was not sent, or is no text. */
  text(path: string): string | undefined;
}

const isFilled = (prompts: readonly string[]) => prompts.length > 0;
const textFile = /\.(?:txt|md|json|html?|xml)$/i;
const testFile = /\.(?:csv|jsonl?|ya?ml)$/i;

/** Reads the files of tests; prompts are only split. */
export async function readConfigFiles(
  document: JsonValue | undefined,
  texts: Readonly<Record<string, string>>,
  budget: ReadBudget,
): Promise<ConfigFiles> {
  const byPath = new Map(Object.entries(texts).map(([path, text]) => [plainPath(path), text]));
  const paths = [...byPath.keys()].sort();
  const find = (path: string) => {
    const pattern = plainPath(path);
    if (byPath.has(pattern)) return [pattern];
    return isGlob(pattern) ? paths.filter((each) => matchesGlob(each, pattern)) : [];
  };
  const sources = new Map<string, Source>();
  for (const path of testPaths(document).flatMap(find)) {
    const content = byPath.get(path);
    if (content === undefined || !testFile.test(path) || sources.has(path)) continue;
    const source = { format: undefined, content, rowsMax: taskImportRowsMax };
    const refuse = ({ row, message }: { row: number; message: string }) => {
      throw new UnreadableText(`${path}: ${message}`, { row });
    };
    sources.set(path, await readSource(source, budget, refuse));
  }
  return {
    prompts: (path) =>
      find(path)
        .flatMap((each) => [splitPrompts(each, byPath.get(each) ?? "") ?? []])
        .filter(isFilled),
    tests: (path) => find(path).flatMap((each) => sources.get(each) ?? []),
    text: (path) => (textFile.test(path) ? byPath.get(plainPath(path))?.trim() : undefined),
  };
}

const plainPath = (path: string) => path.replace(/^file:\/\//, "").replace(/^(?:\.\/)+/, "");

function testPaths(document: JsonValue | undefined): string[] {
  const tests = isObject(document) ? document.tests : undefined;
  return [tests ?? []].flat().flatMap((test) => (typeof test === "string" ? [plainPath(test)] : []));
}

/** Splits a text file at lines of three hyphens, as the tool does; other files are one prompt. */
function splitPrompts(path: string, text: string): string[] | undefined {
  if (/\.(?:md|j2|json)$/i.test(path)) return [text.trim()];
  if (!/\.txt$/i.test(path)) return undefined;
  const parts = text.split(/\r?\n/).reduce<string[][]>(
    (prompts, line) => {
      if (line.trim() === "---") prompts.push([]);
      else prompts.at(-1)?.push(line);
      return prompts;
    },
    [[]],
  );
  return parts.map((lines) => lines.join("\n").trim()).filter((prompt) => prompt !== "");
}
