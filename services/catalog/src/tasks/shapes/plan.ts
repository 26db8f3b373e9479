// Decides which field each column of a file becomes: by its mapping, or by the shape of the file. Pure.

import type { JsonValue } from "@bufbuild/protobuf";
import { answerPrefix } from "./answers.ts";
import { type Column, isBlank, isObject, normalizeName, occurrenceColumn, type SourceRecord } from "./record.ts";
import { type Seen, type Shape, type ShapeName, shapes, table } from "./shapes.ts";

export interface PlannedColumn extends Column {
  /** Field such as `prompt` or `metadata.channel`; `chat`, `skip`, or empty for a column without a place. */
  readonly becomes: string;
  readonly read: (record: SourceRecord) => JsonValue | undefined;
}

export interface Plan {
  readonly shape: ShapeName | undefined;
  readonly columns: readonly PlannedColumn[];
}

export interface PlanFault {
  readonly field: string;
  readonly message: string;
}

export interface PlanOptions {
  readonly mapping: Readonly<Record<string, string>>;
  readonly unmappedAsMetadata: boolean;
}

/** Fields of a task in a file, by normalized name. */
const ownFields = [
  ...["title", "description", "prompt", "expected", "topic", "topicId", "quickstartId", "type", "status", "id"],
  ...["tags", "definitions", "examples", "inputExamples", "prompts", "metadata", "simulatedPromptSchema"],
];
const own: Readonly<Record<string, string>> = Object.fromEntries(ownFields.map((name) => [normalizeName(name), name]));
const namedFields = ["prompt", "expected", "title", "id", "topic", "tags", "definitions", "metadata.<key>"];
const promptFields = ["prompt", "inputExamples", "examples", "prompts", "chat"];
const mappable = new Set([...ownFields.filter((name) => name !== "quickstartId"), "ignore"]);
const metadataPrefix = "metadata.";
/** Number of records in which nested values are looked for. */
const sampleSize = 100;

export function planColumns(
  all: readonly Column[],
  records: readonly SourceRecord[],
  { mapping, unmappedAsMetadata }: PlanOptions,
): { plan: Plan; faults: PlanFault[] } {
  const isMapped = Object.keys(mapping).length > 0;
  const columns = all.filter(({ name }) => name !== occurrenceColumn);
  const { plan, faults } = isMapped ? mapColumns(columns, mapping) : recognizeColumns(columns, records);
  const hasMetadata = plan.columns.some(({ becomes }) => becomes === "metadata");
  if (!unmappedAsMetadata) return { plan, faults };
  const extended = plan.columns.map((column) =>
    column.becomes === "" && !(hasMetadata && column.name === "metadata")
      ? { ...column, becomes: `${metadataPrefix}${column.name}` }
      : column,
  );
  return { plan: { ...plan, columns: extended }, faults };
}

function recognizeColumns(columns: readonly Column[], records: readonly SourceRecord[]) {
  const seen = describe(columns, records);
  const shape = shapes.find(({ isLike }) => isLike(seen));
  if (shape !== undefined)
    return { plan: { shape: shape.name, columns: applyShape(shape, columns, records) }, faults: [] };
  const isTask = seen.hasAny("title", "inputexamples", "prompts", "examples") || columns.every(isOwn);
  if (isTask && columns.some(isOwn))
    return { plan: { shape: "TASKS" as const, columns: taskColumns(columns) }, faults: [] };
  const planned = applyShape(table, columns, records);
  if (planned.some(({ becomes }) => promptFields.includes(becomes)))
    return { plan: { shape: "TABLE" as const, columns: planned }, faults: [] };
  const message = `Unknown column. Expected one of: ${namedFields.join(", ")}, or a mapping`;
  return {
    plan: { shape: undefined, columns: planned },
    faults: columns.map(({ name }) => ({ field: name, message })),
  };
}

const isOwn = ({ name }: Column) => own[normalizeName(name)] !== undefined || isMetadataKey(name);
const isMetadataKey = (name: string) => /^metadata\../i.test(name);

function describe(columns: readonly Column[], records: readonly SourceRecord[]): Seen {
  const names = columns.map(({ name }) => name);
  const normalized = new Set(names.map(normalizeName));
  const sample = records.slice(0, sampleSize);
  return {
    names,
    has: (...required) => required.every((name) => normalized.has(name)),
    hasAny: (...required) => required.some((name) => normalized.has(name)),
    isWritten: (name) => names.includes(name),
    isNested: (name) => {
      const keys = columns.filter((column) => normalizeName(column.name) === name).map(({ key }) => key);
      return sample.some(({ values }) => keys.some((key) => isNested(values.get(key))));
    },
  };
}

/** True for objects and lists, and for cells that begin like them. */
function isNested(value: JsonValue | undefined): boolean {
  if (typeof value === "string") return /^\s*[{[]/.test(value);
  return typeof value === "object" && value !== null;
}

const direct = (column: Column, becomes: string): PlannedColumn => ({
  ...column,
  becomes,
  read: ({ values }) => values.get(column.key),
});

/** Plans a table of tasks. A usual name counts where the task's own field is missing. */
function taskColumns(columns: readonly Column[]): PlannedColumn[] {
  const planned = columns.map((column) => {
    const name = normalizeName(column.name);
    return direct(column, own[name] ?? (isMetadataKey(column.name) ? metadataKey(column.name) : ""));
  });
  const has = (fields: readonly string[]) => planned.some(({ becomes }) => fields.includes(becomes));
  const isTaken = { prompt: has(promptFields), expected: has(["expected", "examples"]) };
  return planned.map((column) => {
    const target = column.becomes === "" ? table.targets[normalizeName(column.name)] : undefined;
    if ((target !== "prompt" && target !== "expected") || isTaken[target]) return column;
    isTaken[target] = true;
    return { ...column, becomes: target };
  });
}

const metadataKey = (name: string) => `${metadataPrefix}${name.slice(metadataPrefix.length)}`;

/** Names of columns with recorded answers, where another column has the expected answer. */
const answerNames = /^(?:outputs?|responses?|completions?|answers?|predictions?|(?:actual|model)output)$/;

/** Fields of which a row has one; of several columns, the first in the shape's order counts. */
const singular = new Set(["prompt", "expected", "title", "description", "id", "chat"]);

function applyShape(shape: Shape, all: readonly Column[], records: readonly SourceRecord[]): PlannedColumn[] {
  const columns = all.flatMap((column) => spread(column, shape, records));
  const order = Object.keys(shape.targets);
  const chosen = new Map<string, PlannedColumn>();
  for (const name of order) {
    const target = shape.targets[name] ?? "";
    const column = columns.find((each) => normalizeName(lastPart(each)) === name);
    if (column !== undefined && singular.has(target) && !chosen.has(target)) chosen.set(target, column);
  }
  for (const field of ["prompt", "expected"] as const) {
    if (chosen.has(field) || chosen.has("chat")) continue;
    const candidates = columns.filter((each) => !isChosen(each) && isSimilar(each, field, shape));
    const similar = candidates.find(({ name }) => isReference(name)) ?? candidates[0];
    if (similar !== undefined) chosen.set(field, similar);
  }
  const plan = (column: PlannedColumn): PlannedColumn => {
    for (const [field, { key, name }] of chosen)
      if (column.key === key && column.name === name) return { ...column, becomes: field };
    const target = shape.targets[normalizeName(lastPart(column))];
    if (target === "keep") return { ...column, becomes: `${metadataPrefix}${column.name}` };
    if (target === "answer" || isAnswer(column)) return { ...column, becomes: `${answerPrefix}${column.name}` };
    if (target !== undefined && !singular.has(target)) return { ...column, becomes: target };
    if (isMetadataKey(column.name)) return { ...column, becomes: metadataKey(column.name) };
    const [, group, rest] = /^(inputs?|outputs?|metadata)[._](.+)$/i.exec(column.name) ?? [];
    if (group !== undefined && shape !== table) return { ...column, becomes: `${metadataPrefix}${rest}` };
    const field = own[normalizeName(column.name)];
    const isFree = shape === table && field !== undefined && !chosen.has(field);
    return { ...column, becomes: isFree ? field : "" };
  };
  return columns.map(plan);

  /** True for an output in a file that also has expected answers. */
  function isAnswer({ name, ...column }: Column): boolean {
    if (!chosen.has("expected") && !chosen.has("chat")) return false;
    const isOutput = /^outputs?[._]/i.test(name) && isReference(chosen.get("expected")?.name ?? "");
    return isOutput || answerNames.test(normalizeName(lastPart({ ...column, name })));
  }

  function isChosen({ key, name }: Column): boolean {
    return [...chosen.values()].some((each) => each.key === key && each.name === name);
  }
}

const isReference = (name: string) => /^reference/i.test(name);

/** The name without the object that contains it. */
const lastPart = ({ key, name }: Column) => (name.startsWith(`${key}.`) ? name.slice(key.length + 1) : name);

/** Names that end or begin like usual ones, such as `ticket_text` and `correct_label`. */
const similarNames = {
  prompt: /(?:question|prompt|input|query|utterance|text|message)$/,
  expected: /^(?:expected|correct|gold|ideal|reference|target)|(?:answer|label|expected)$/,
};

function isSimilar(column: Column, field: "prompt" | "expected", shape: Shape): boolean {
  const name = normalizeName(lastPart(column));
  if (shape.targets[name] !== undefined || (shape === table && own[name] !== undefined)) return false;
  const isFlat = field === "prompt" ? /^inputs?[._]/i : /^(?:outputs?|reference)[._]/i;
  if (isFlat.test(column.name)) return true;
  if (shape !== table && !column.name.includes(".")) return false;
  return similarNames[field].test(name) && !(field === "prompt" && similarNames.expected.test(name));
}

/** Replaces a column of objects by columns of their members. */
function spread(column: Column, { targets }: Shape, records: readonly SourceRecord[]): PlannedColumn[] {
  if (targets[normalizeName(column.name)] !== "spread") return [direct(column, "")];
  const names = new Set<string>();
  for (const { values } of records.slice(0, sampleSize)) {
    const value = values.get(column.key);
    if (isObject(value)) for (const name of Object.keys(value)) names.add(name);
  }
  return [...names].map((name) => ({
    key: column.key,
    name: `${column.name}.${name}`,
    becomes: "",
    read: ({ values }) => {
      const value = values.get(column.key);
      return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    },
  }));
}

function mapColumns(columns: readonly Column[], mapping: Readonly<Record<string, string>>) {
  const faults: PlanFault[] = [];
  const mapped = new Map<string, PlannedColumn>();
  const byPath: PlannedColumn[] = [];
  for (const [name, field] of Object.entries(mapping)) {
    const becomes = readField(field);
    if (becomes === undefined) {
      const message = `Unknown field ${field}. Expected one of: ${[...mappable].join(", ")}, metadata.<key>, examples.metadata.<key>`;
      faults.push({ field: name, message });
      continue;
    }
    const column =
      columns.find((each) => each.name === name) ??
      columns.find((each) => normalizeName(each.name) === normalizeName(name));
    const [first = "", ...path] = name.split(".");
    const parent = column === undefined && path.length > 0 ? columns.find((each) => each.name === first) : undefined;
    if (column !== undefined) mapped.set(column.key, direct(column, becomes));
    else if (parent !== undefined) byPath.push({ ...parent, name, becomes, read: atPath(parent, path) });
    else {
      const available = columns.map((each) => each.name).join(", ");
      faults.push({ field: name, message: `The mapping names a column that is missing. Columns: ${available}` });
    }
  }
  const fields = new Set([...mapped.values(), ...byPath].map(({ becomes }) => becomes));
  const parents = new Set(byPath.map(({ key }) => key));
  const byName = columns.map((column) => {
    const found = mapped.get(column.key);
    if (found !== undefined) return found;
    const field = own[normalizeName(column.name)];
    if (field !== undefined && !fields.has(field)) return direct(column, field);
    if (isMetadataKey(column.name)) return direct(column, metadataKey(column.name));
    return direct(column, parents.has(column.key) ? "skip" : "");
  });
  const planned = [...byName, ...byPath];
  const hasContent = planned.some(({ becomes }) => becomes === "title" || promptFields.includes(becomes));
  if (!hasContent && faults.length === 0) faults.push({ field: "", message: "The mapping has no prompt and no title" });
  return { plan: { shape: "MAPPED" as const, columns: planned }, faults };
}

function readField(field: string): string | undefined {
  if (field === "ignore") return "skip";
  if (isMetadataKey(field)) return metadataKey(field);
  if (field.startsWith(answerPrefix) && field.length > answerPrefix.length) return field;
  const name = own[normalizeName(field)];
  return name !== undefined && mappable.has(name) ? name : undefined;
}

const atPath = (column: Column, path: readonly string[]) => (record: SourceRecord) => {
  let value: JsonValue | undefined = record.values.get(column.key);
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return isBlank(value) ? undefined : value;
};
