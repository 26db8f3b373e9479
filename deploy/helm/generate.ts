// `npm run generate` writes the generated parts of the chart: files/mesh.yaml from the mesh and the configurations, the
// settings of values.schema.json, and the tables of values, settings and connections in the documentation.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Setting } from "@ems/kit/config";
import { isMap, isScalar, type Node, type Pair, parseDocument, stringify } from "yaml";
import { clusterPools } from "../connections.ts";
import { table } from "../markdown-table.ts";
import { type ProcessName, processNames } from "../mesh.ts";
import { processSettings } from "../settings.ts";
import { chartMesh } from "./variables.ts";

const chart = join(import.meta.dirname, "ems");
const guides = join(import.meta.dirname, "../guides");
const schemaPath = join(chart, "values.schema.json");

/** Returns the contents of the generated files, by path. */
export function generatedChart(): Readonly<Record<string, string>> {
  const tables = {
    [join(chart, "VALUES.md")]: { values: valuesTable },
    [join(guides, "settings.md")]: { settings: settingsTable },
    [join(guides, "connections.md")]: { connections: connectionsTable },
  };
  return {
    [join(chart, "files/mesh.yaml")]:
      `# Made by deploy/helm/generate.ts.\n${stringify(chartMesh(), { aliasDuplicateObjects: false })}`,
    [schemaPath]: valuesSchema(),
    ...Object.fromEntries(Object.entries(tables).map(([path, contents]) => [path, withTables(path, contents)])),
  };
}

function withTables(path: string, tables: Readonly<Record<string, () => string>>): string {
  return Object.entries(tables).reduce(
    (text, [name, build]) => between(text, name, build()),
    readFileSync(path, "utf8"),
  );
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
export function between(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest] = text.split(start);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) throw new Error(`a README lacks ${start} … ${end}`);
  return `${before}${start}\n\n${content}\n${end}${after}`;
}

function chartValues() {
  return parseDocument(readFileSync(join(chart, "values.yaml"), "utf8"));
}

/** Returns the documentation table of the processes' maximum database connections with default values. */
function connectionsTable(): string {
  const { defaults, database } = chartValues().toJS();
  const each = defaults.replicas;
  const rolled = each + defaults.strategy.rollingUpdate.maxSurge;
  const rows = Object.entries(clusterPools).map(([name, { DATABASE_POOL_MAX: own, RELAY_POOL_MAX: relay = 0 }]) => ({
    cells: [name, own, relay || "", own + relay, (own + relay) * each, (own + relay) * rolled].map(String),
    connections: own + relay,
  }));
  const sum = rows.reduce((total, { connections }) => total + connections, 0);
  const last = ["**total**", "", "", `${sum}`, `${sum * each}`, `${sum * rolled} of ${database.maxConnections}`];
  const heads = ["", "`DATABASE_POOL_MAX`", "`RELAY_POOL_MAX`", "per process", `${each} processes`, "during a rollout"];
  return table(heads, [...rows.map(({ cells }) => cells), last]);
}

function valuesTable(): string {
  const values = chartValues().contents;
  const rows = listRows(values, "").map(
    ({ path, value, comment }) => `| \`${path}\` | ${value} | ${comment.replaceAll("|", "\\|")} |\n`,
  );
  return `| Value | Default | Meaning |\n| --- | --- | --- |\n${rows.join("")}`;
}

interface Row {
  readonly path: string;
  readonly value: string;
  readonly comment: string;
}

/** Returns a row for each value whose comment begins with "--". Values nested in it get no row of their own. */
function listRows(node: unknown, prefix: string): Row[] {
  return commented(node, prefix).flatMap(({ path, value, comment }) => {
    const last = comment.split("\n").findLast((line) => line.startsWith(" -- "));
    if (last === undefined) return listRows(value, `${path}.`);
    const text = JSON.stringify(value?.toJSON() ?? null).replaceAll("|", "\\|");
    return [{ path, value: `\`${text}\``, comment: last.slice(" -- ".length).trim() }];
  });
}

/** Lists the comments of groups of values, that is maps whose comment does not begin with "--". */
function listGroups(node: unknown, prefix: string): Pick<Row, "path" | "comment">[] {
  return commented(node, prefix).flatMap(({ path, value, comment }) => {
    if (!isMap(value) || comment.includes(" -- ")) return [];
    const inner = listGroups(value, `${path}.`);
    return comment === "" ? inner : [{ path, comment: comment.replaceAll("\n", "").trim() }, ...inner];
  });
}

interface Commented {
  readonly path: string;
  readonly value: Node | null;
  /** Empty if the value has no comment. */
  readonly comment: string;
}

function commented(node: unknown, prefix: string): Commented[] {
  if (!isMap(node)) return [];
  return node.items.map((pair, index) => {
    const { key, value } = pair as Pair<Node, Node | null>;
    const path = `${prefix}${String(isScalar(key) ? key.value : key)}`;
    // The parser attaches the comment before a map's first key to the map itself.
    return { path, value, comment: key.commentBefore ?? (index === 0 ? node.commentBefore : undefined) ?? "" };
  });
}

function settingsTable(): string {
  const rows = chartSettings().map(({ name, meaning, processes, ...setting }) => {
    const components = processes.length === processNames.length ? "all" : processes.join(", ");
    const own = setting.default === undefined ? "" : `\`${setting.default}\``;
    const isPool = Object.values(clusterPools).some((pools) => name in pools);
    const value = isPool ? "[Connections](connections.md)" : own;
    return `| \`${name}\` | ${value} | ${meaning.replaceAll("|", "\\|")} | ${components} |\n`;
  });
  return `| Setting | Default | Meaning | Components |\n| --- | --- | --- | --- |\n${rows.join("")}`;
}

interface ChartSetting extends Setting {
  readonly processes: readonly ProcessName[];
}

/** Lists the settings that the chart's values may set, sorted by name. */
function chartSettings(): ChartSetting[] {
  const mesh = chartMesh();
  const settings = new Map<string, ChartSetting>();
  for (const process of processNames) {
    for (const setting of processSettings[process].filter(({ name }) => mesh[process].settings.includes(name))) {
      const processes = [...(settings.get(setting.name)?.processes ?? []), process];
      settings.set(setting.name, { ...setting, processes });
    }
  }
  return [...settings.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface SchemaNode {
  $ref?: string;
  description?: string;
  properties?: Record<string, SchemaNode>;
}

/** Sets a property's description to its comment in values.yaml. Properties of `defaults` describe every component. */
function describe(schema: SchemaNode & { definitions: Record<string, SchemaNode> }, path: string, meaning: string) {
  let node: SchemaNode | undefined = schema;
  for (const name of path.split(".")) {
    const parent: SchemaNode | undefined = node?.$ref ? schema.definitions[node.$ref.split("/").at(-1) ?? ""] : node;
    node = parent?.properties?.[name];
  }
  if (node === undefined) throw new Error(`values.schema.json lacks ${path}, which values.yaml has.`);
  node.description = meaning;
}

/** Returns values.schema.json with every setting and a description of each value, for editors' completion and help. */
function valuesSchema(): string {
  const schema = JSON.parse(readFileSync(schemaPath, "utf8"));
  const values = chartValues().contents;
  for (const { path, comment } of [...listGroups(values, ""), ...listRows(values, "")]) describe(schema, path, comment);
  const type = ["string", "number", "boolean"];
  const properties = chartSettings().map(({ name, meaning: description }) => [name, { type, description }]);
  schema.definitions.settings.properties = Object.fromEntries(properties);
  return `${JSON.stringify(schema, null, 2)}\n`;
}
