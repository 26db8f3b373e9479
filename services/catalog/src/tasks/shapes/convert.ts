// Converts a record to the fields of a task, by the plan of its columns. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type ReadBudget, readJsonValue, UnreadableText } from "@ems/kit/readers";
import { Answers, answerPrefix, longAnswer } from "./answers.ts";
import { readExpected, readPrompt } from "./conversation.ts";
import type { Plan } from "./plan.ts";
import { pythonAsJson } from "./python-literal.ts";
import { asText, isBlank, isObject, occurrenceColumn, type SourceRecord, type Waiting } from "./record.ts";

export interface Conversion {
  readonly plan: Plan;
  /** True if all values are texts of cells. */
  readonly isTable: boolean;
  readonly budget: ReadBudget;
  readonly addFault: (fault: { row: number; field: string; message: string }) => void;
  readonly addWaiting: (part: Waiting) => void;
}

const inJson = new Set(["examples", "inputExamples", "prompts", "metadata", "simulatedPromptSchema"]);
const lists = new Set(["tags", "definitions"]);
/** Fields whose leading and trailing spaces are kept. */
const free = new Set(["title", "description", "expected"]);
const metadataPrefix = "metadata.";

export function convertRecord(record: SourceRecord, conversion: Conversion): JsonObject {
  const occurrence = record.values.get(occurrenceColumn);
  const fields = conversion.plan.shape === "TASKS" ? taskFields(record, conversion) : foreignFields(record, conversion);
  return occurrence === undefined ? fields : { ...fields, [occurrenceColumn]: occurrence };
}

/** Reads a row of this service's own fields, whose values are checked later. */
function taskFields(record: SourceRecord, conversion: Conversion): JsonObject {
  const { plan, isTable } = conversion;
  const fields = new Map<string, JsonValue>();
  const metadata = new Map<string, JsonValue>();
  const prompts: string[] = [];
  for (const { becomes, name, read } of plan.columns) {
    const value = read(record);
    if (value === undefined || becomes === "" || becomes === "skip") continue;
    if (becomes.startsWith(metadataPrefix)) metadata.set(becomes.slice(metadataPrefix.length), value);
    else if (!isTable || typeof value !== "string") fields.set(becomes, value);
    else if (becomes === "prompt") prompts.push(value);
    else setCell(fields, record.row, name, becomes, value, conversion);
  }
  if (prompts.length > 0) fields.set("prompt", prompts);
  const whole = fields.get("metadata");
  if (metadata.size > 0 && (whole === undefined || isObject(whole)))
    fields.set("metadata", { ...whole, ...Object.fromEntries(metadata) });
  // Assignment to properties would lose a key named `__proto__`.
  return Object.fromEntries(fields);
}

function setCell(
  fields: Map<string, JsonValue>,
  row: number,
  name: string,
  field: string,
  cell: string,
  { budget, addFault }: Conversion,
): void {
  if (lists.has(field)) fields.set(field, readNames(cell, row, budget));
  else if (!inJson.has(field)) fields.set(field, free.has(field) ? cell : cell.trim());
  else {
    const { value, problem } = parseCell(cell, row, budget);
    if (value === undefined) addFault({ row, field: name, message: `The cell is not JSON: ${problem}` });
    else fields.set(field, value);
  }
}

/** Reads names that are separated by semicolons or given as a JSON list. */
function readNames(cell: string, row: number, budget: ReadBudget): JsonValue {
  if (!cell.trimStart().startsWith("[")) return cell.split(";").flatMap((name) => name.trim() || []);
  // The later check of the field reports that the text is not a list.
  return parseCell(cell, row, budget).value ?? cell;
}

function parseCell(cell: string, row: number, budget: ReadBudget): { value?: JsonValue; problem?: string } {
  try {
    return { value: readJsonValue(cell, budget, { row }) };
  } catch (error) {
    if (!(error instanceof UnreadableText) || error.reason !== "INVALID") throw error;
    return { problem: error.problem };
  }
}

/** Fields whose values are not converted. */
const plain = new Set([
  "topic",
  "topicId",
  "type",
  "status",
  "examples",
  "inputExamples",
  "prompts",
  "simulatedPromptSchema",
]);

function foreignFields(record: SourceRecord, conversion: Conversion): JsonObject {
  const { plan, budget, isTable } = conversion;
  const fields = new Map<string, JsonValue>();
  const metadata = new Map<string, JsonValue>();
  const prompts: string[] = [];
  const answers = new Answers();
  const addMetadata = (more: JsonObject) => {
    for (const [key, value] of Object.entries(more)) metadata.set(key, value);
  };
  for (const column of plan.columns) {
    const raw = column.read(record);
    if (raw === undefined || isBlank(raw)) continue;
    const { becomes, name } = column;
    if (isTable && typeof raw === "string" && (plain.has(becomes) || lists.has(becomes)))
      setCell(fields, record.row, name, becomes, raw, conversion);
    else if (plain.has(becomes) || lists.has(becomes)) fields.set(becomes, raw);
    else if (becomes === "title" || becomes === "description") fields.set(becomes, asText(raw));
    else if (becomes === "id") fields.set("id", raw);
    else {
      const value = isTable ? readCell(raw, record.row, budget) : raw;
      if (becomes === "prompt" || becomes === "chat") {
        const { text, answer, metadata: rest } = readPrompt(value);
        prompts.push(text);
        if (answer !== undefined && becomes === "chat") fields.set("expected", answer);
        addMetadata(rest);
      } else if (becomes === "expected") fields.set("expected", readExpected(value));
      else if (becomes === "metadata") addMetadata(isObject(value) ? value : { [name]: value });
      else if (becomes.startsWith(metadataPrefix)) metadata.set(becomes.slice(metadataPrefix.length), value);
      else if (becomes.startsWith(answerPrefix) && !answers.add(becomes.slice(answerPrefix.length), value))
        conversion.addWaiting({ row: record.row, field: name, message: longAnswer });
    }
  }
  const recorded = answers.metadata;
  if (recorded === undefined && prompts.length > 0) fields.set("prompt", prompts);
  else if (prompts.length > 0)
    fields.set(
      "examples",
      prompts.map((input) => ({ input, metadata: recorded ?? {} })),
    );
  else addMetadata(recorded ?? {});
  if (metadata.size > 0) fields.set("metadata", Object.fromEntries(metadata));
  // Rows of other tools are prompts to send verbatim, not descriptions from which prompts are made.
  if (prompts.length > 0 && !fields.has("type")) fields.set("type", "STATIC");
  return Object.fromEntries(fields);
}

/** Reads a cell that contains an object or a list in JSON or Python; any other cell is a text. */
function readCell(value: JsonValue, row: number, budget: ReadBudget): JsonValue {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  const parsed = parseCell(value, row, budget).value;
  if (parsed !== undefined) return parsed;
  const json = pythonAsJson(value);
  return (json === undefined ? undefined : parseCell(json, row, budget).value) ?? value;
}
