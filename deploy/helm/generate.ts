// `node deploy/helm/generate.ts` writes what of the chart follows from elsewhere: the table of processes from the mesh and
// the configurations, and the README's tables from the comments of values.yaml.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, isScalar, type Node, type Pair, parseDocument, stringify } from "yaml";
import { processNames } from "../mesh.ts";
import { chartMesh } from "./variables.ts";

const chart = join(import.meta.dirname, "ems");

/** The generated files by path, as they must be. */
export function generated(): Readonly<Record<string, string>> {
  const readme = join(chart, "README.md");
  return {
    [join(chart, "files/mesh.yaml")]:
      `# Made by deploy/helm/generate.ts.\n${stringify(chartMesh(), { aliasDuplicateObjects: false })}`,
    [readme]: between(between(readFileSync(readme, "utf8"), "values", valuesTable()), "settings", settingsTable()),
  };
}

/** `text` with `content` between the marks of that name. */
function between(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest] = text.split(start);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) throw new Error(`README.md lacks ${start} … ${end}`);
  return `${before}${start}\n\n${content}\n${end}${after}`;
}

function valuesTable(): string {
  const values = parseDocument(readFileSync(join(chart, "values.yaml"), "utf8")).contents;
  const rows = rowsOf(values, "").map(({ path, value, comment }) => `| \`${path}\` | ${value} | ${comment} |\n`);
  return `| Value | Default | |\n| --- | --- | --- |\n${rows.join("")}`;
}

interface Row {
  readonly path: string;
  readonly value: string;
  readonly comment: string;
}

/** A row for every value that has a comment; what lies below one is told by it. */
function rowsOf(node: unknown, prefix: string): Row[] {
  if (!isMap(node)) return [];
  return node.items.flatMap((pair, index) => {
    const { key, value } = pair as Pair<Node, Node | null>;
    const path = `${prefix}${String(isScalar(key) ? key.value : key)}`;
    // The first comment of a map belongs to the map itself.
    const comment = commentOf(key.commentBefore ?? (index === 0 ? node.commentBefore : undefined));
    if (comment === undefined) return rowsOf(value, `${path}.`);
    const text = JSON.stringify(value?.toJSON() ?? null).replaceAll("|", "\\|");
    return [{ path, value: `\`${text}\``, comment: comment.replaceAll("|", "\\|") }];
  });
}

function commentOf(text: string | null | undefined): string | undefined {
  const last = text?.split("\n").findLast((line) => line.startsWith(" -- "));
  return last?.slice(" -- ".length).trim();
}

function settingsTable(): string {
  const mesh = chartMesh();
  const names = new Map<string, string[]>();
  for (const process of processNames) {
    for (const setting of mesh[process].settings) names.set(setting, [...(names.get(setting) ?? []), process]);
  }
  const rows = [...names].sort().map(([setting, processes]) => {
    return `| \`${setting}\` | ${processes.length === processNames.length ? "all" : processes.join(", ")} |\n`;
  });
  return `| Setting | Components |\n| --- | --- |\n${rows.join("")}`;
}

if (import.meta.main) {
  for (const [path, content] of Object.entries(generated())) writeFileSync(path, content);
}
