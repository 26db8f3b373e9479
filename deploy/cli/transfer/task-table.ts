// Converts tasks to rows that `ems tasks import` accepts.

import { byteOrderMark, formatCsvCell } from "@ems/kit/readers";
import type { ApiClient, Json, ListQuery } from "../api.ts";
import { escapeControls } from "../terminal.ts";

export type TableFormat = "CSV" | "JSONL";

export interface TaskRow {
  readonly title: string;
  readonly description: string;
  readonly type: string;
  readonly status: string;
  /** Topic, tags and definitions are names, or ids if a name is ambiguous. */
  readonly topic?: string;
  /** Prompts with expectations or metadata; tasks without any have `inputExamples`. */
  readonly examples?: readonly object[];
  readonly inputExamples?: readonly string[];
  readonly metadata?: object;
  readonly simulatedPromptSchema?: object;
  readonly tags?: readonly string[];
  readonly definitions?: readonly string[];
  readonly expected?: string;
}

export interface ReadRow {
  readonly row: TaskRow;
  /** True if the task's definitions expect a list or different texts, which one cell cannot contain. */
  readonly isExpectationLost: boolean;
}

/** Types of definitions that use an expected answer. */
const expecting = new Set(["FACT", "OUTPUT_MATCH"]);

/** Yields the ACTIVE and DRAFT tasks that match `query`, oldest first. */
export async function* readTaskRows(api: ApiClient, query: ListQuery): AsyncGenerator<ReadRow> {
  const names = await loadNames(api);
  const findName = ({ id }: { id: string }) => names.get(id) ?? id;
  for await (const listed of api.list("/v0/tasks", query)) {
    if (listed.status !== "ACTIVE" && listed.status !== "DRAFT") continue;
    const isExpecting = listed.evalDefinitions.some(({ type }: Json) => expecting.has(type));
    const { evalDefinitions } = isExpecting ? (await api.get(`/v0/tasks/${listed.id}`)).task : { evalDefinitions: [] };
    const expectations: Json[] = evalDefinitions.flatMap(({ config }: Json) => config?.expected ?? []);
    const asOne = new Set(expectations.map((expectation) => JSON.stringify(expectation)));
    const isLost = asOne.size > 1 || evalDefinitions.some(({ config }: Json) => Array.isArray(config?.expected));
    const row = {
      title: listed.title,
      description: listed.description,
      type: listed.type,
      status: listed.status,
      ...(listed.topicId != null && { topic: findName({ id: listed.topicId }) }),
      ...promptFields(listed),
      ...filled("metadata", listed.metadata),
      ...filled("simulatedPromptSchema", listed.simulatedPromptSchema),
      ...filled("tags", listed.tags.map(findName)),
      ...filled("definitions", listed.evalDefinitions.map(findName)),
      ...(!isLost && expectations.length > 0 && { expected: expectations[0] }),
    };
    yield { row, isExpectationLost: isLost };
  }
}

/** Returns the prompts of a task: `examples` if any has an expectation or metadata, else `inputExamples`. */
export function promptFields({ examples = [], inputExamples }: Json): Pick<TaskRow, "examples" | "inputExamples"> {
  const written = examples.map(({ input, expected, metadata }: Json) => ({
    input,
    ...(expected != null && { expected }),
    ...(metadata != null && { metadata }),
  }));
  const hasDetails = written.some((example: object) => Object.keys(example).length > 1);
  return hasDetails ? { examples: written } : filled("inputExamples", inputExamples);
}

const filled = (name: string, value: object | null | undefined) =>
  value == null || Object.keys(value).length === 0 ? {} : { [name]: value };

/** Returns the unique names of topics, tags or definitions, by id. */
async function loadNames(api: ApiClient): Promise<ReadonlyMap<string, string>> {
  const lists = [
    ["/v0/topics", "title"],
    ["/v0/tags", "name"],
    ["/v0/definitions", "name"],
  ] as const;
  const names = new Map<string, string>();
  for (const [path, field] of lists) {
    const byName = new Map<string, string[]>();
    for await (const row of api.list(path)) byName.set(row[field], [...(byName.get(row[field]) ?? []), row.id]);
    for (const [name, [id, ...duplicates]] of byName)
      if (id !== undefined && duplicates.length === 0) names.set(id, name);
  }
  return names;
}

// biome-ignore format: several per line
const columns = [
  "title", "description", "topic", "type", "status", "examples", "inputExamples", "metadata",
  "simulatedPromptSchema", "tags", "definitions", "expected",
] as const;

/** Yields the lines of a file, each with its line end. */
export async function* tableLines(format: TableFormat, rows: AsyncIterable<TaskRow>): AsyncGenerator<string> {
  if (format === "CSV") yield `${byteOrderMark}${columns.join(",")}\r\n`;
  for await (const row of rows) yield format === "CSV" ? csvLine(row) : `${escapeControls(JSON.stringify(row))}\n`;
}

/** Formats a row as CSV for spreadsheets and `ems tasks import`. */
const csvLine = (row: TaskRow) =>
  `${columns.map((column) => formatCell((row as unknown as Record<string, unknown>)[column])).join(",")}\r\n`;

function formatCell(value: unknown): string {
  if (value === undefined) return "";
  return formatCsvCell(typeof value === "string" ? value : JSON.stringify(value));
}
