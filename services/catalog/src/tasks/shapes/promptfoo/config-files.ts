// Files to which a configuration of promptfoo refers, as far as the client has sent them.

import type { JsonValue } from "@bufbuild/protobuf";
import { type ReadBudget, UnreadableText } from "@ems/kit/readers";
import { taskImportRowsMax } from "@ems/proto/limits";
import { readSource, type Source } from "../read-source.ts";
import { isObject } from "../record.ts";

export interface ConfigFiles {
  /** Returns the prompts of a file; undefined if it was not sent, or is code. */
  prompts(path: string): readonly string[] | undefined;
  /** Returns the rows of a file of tests; undefined if it was not sent. */
  tests(path: string): Source | undefined;
}

const testFile = /\.(?:csv|jsonl?|ya?ml)$/i;

/** Reads the files of tests; prompts are only split. */
export async function readConfigFiles(
  document: JsonValue | undefined,
  texts: Readonly<Record<string, string>>,
  budget: ReadBudget,
): Promise<ConfigFiles> {
  const byPath = new Map(Object.entries(texts).map(([path, text]) => [plainPath(path), text]));
  const sources = new Map<string, Source>();
  for (const path of testPaths(document)) {
    const content = byPath.get(path);
    if (content === undefined || !testFile.test(path) || sources.has(path)) continue;
    const source = { format: undefined, content, rowsMax: taskImportRowsMax };
    const refuse = ({ row, message }: { row: number; message: string }) => {
      throw new UnreadableText(`${path}: ${message}`, { row });
    };
    sources.set(path, await readSource(source, budget, refuse));
  }
  return {
    prompts: (path) => {
      const text = byPath.get(plainPath(path));
      return text === undefined ? undefined : splitPrompts(plainPath(path), text);
    },
    tests: (path) => sources.get(plainPath(path)),
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
