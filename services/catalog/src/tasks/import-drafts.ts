// Builds tasks from the rows of an import. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isExactNumber } from "@ems/kit/json/exact-number";
import { readValidated } from "@ems/kit/json/read-validated";
import { type CreateTaskRequest, CreateTaskRequestSchema } from "@ems/proto/catalog/v1/task_service";
import type { Expectation } from "../definitions/index.ts";
import { findExampleFaults } from "./examples.ts";
import type { FaultList } from "./import-faults.ts";
import { type Evaluator, type ImportRow, isObject, occurrenceColumn } from "./shapes/index.ts";

export interface ImportDraft {
  readonly row: number;
  readonly request: CreateTaskRequest;
  /** Topics, tags and definitions as fields in the row, by id, title or name. */
  readonly topic: string | undefined;
  readonly tags: readonly string[];
  readonly definitions: readonly string[];
  /** Expected answer of the links to the definitions. */
  readonly expected: Expectation;
  readonly evaluators: readonly Evaluator[];
  /** The row's own id. */
  readonly id: string | undefined;
  /** Position among the rows of a file with the same prompt, if the caller sends a file in pieces. */
  readonly occurrence: number | undefined;
}

const expectedLengthMax = 10_000;
const expectedItemsMax = 1_000;
const namesMax = 100;
const idLengthMax = 500;
const titleLengthMax = 80;

/** Validates a row with the rules for a new task; adds its errors to `faults`. */
export function readDraft({ row, fields, evaluators = [] }: ImportRow, faults: FaultList): ImportDraft {
  const { topic, tags, definitions, expected, prompt, id, [occurrenceColumn]: occurrence, ...own } = fields;
  const fault = (field: string, message: string) => faults.add({ row, field, message });
  const definitionNames = readList("definitions", definitions, fault);
  const expectation = readExpected(expected, fault);
  const isLinked = definitionNames.length > 0;
  const content = ofTask(own, prompt, fault);
  const withExpected = isLinked || expectation === null ? content : expecting(content, expectation, fault);
  const { message: request, issues } = readValidated(CreateTaskRequestSchema, withExpected);
  for (const issue of issues) fault(issue.path.join("."), issue.message);
  for (const { path, message } of findExampleFaults(request.examples)) fault(path.join("."), message);
  const draft = {
    row,
    request,
    topic: readText("topic", topic, fault),
    tags: readList("tags", tags, fault),
    definitions: definitionNames,
    expected: {
      expected: isLinked && typeof expectation === "string" ? expectation : null,
      expectedList: isLinked && typeof expectation === "object" ? expectation : null,
    },
    evaluators,
    id: readId(id, fault),
    occurrence: occurrence === undefined ? undefined : Number(occurrence) || undefined,
  };
  if (draft.topic !== undefined && request.topicId !== undefined) fault("topic", "Set either topic or topicId");
  return draft;
}

/** Returns the row's own id as text. */
function readId(value: JsonValue | undefined, fault: Fault): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string" || typeof value === "number" || isExactNumber(value)) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (text.length <= idLengthMax) return text;
  }
  fault("id", `Expected a text of at most ${idLengthMax} characters`);
  return undefined;
}

/** Returns the row's expected answer: a text, a list of texts, or null for none. */
function readExpected(value: JsonValue | undefined, fault: Fault): string | string[] | null {
  if (value === undefined || value === null) return null;
  const isExpected = [value].flat().every((item) => typeof item === "string");
  if (!isExpected || (Array.isArray(value) && value.length > expectedItemsMax)) {
    fault("expected", `Expected string, or a list of at most ${expectedItemsMax.toLocaleString("en")} strings`);
    return null;
  }
  // Safe cast: every item is a string.
  const expected = value as string | string[];
  if ([expected].flat().some((text) => [...text].length > expectedLengthMax))
    fault("expected", `String must contain at most ${expectedLengthMax} character(s)`);
  return expected;
}

/** Adds the expected answer to the examples that have none, because no link has it. */
function expecting(content: JsonObject, expected: string | string[], fault: Fault): JsonObject {
  const { inputExamples, prompts, examples, ...rest } = content;
  const inputs = examples ?? inputExamples ?? prompts;
  if (!Array.isArray(inputs) || inputs.length === 0) {
    fault("expected", "An expected answer requires a prompt or definitions");
    return content;
  }
  const isBoth = [examples, inputExamples, prompts].filter((list) => list !== undefined).length > 1;
  if (isBoth) return content;
  const withExpected = inputs.map((input) => (isObject(input) ? { expected, ...input } : { input, expected }));
  return { ...rest, examples: withExpected };
}

type Fault = (field: string, message: string) => void;

function ofTask(fields: JsonObject, prompt: JsonValue | undefined, fault: Fault): JsonObject {
  const title = fields.title ?? makeTitle(fields, prompt);
  const own = title === undefined ? fields : { ...fields, title };
  // Sets a description if it is missing, so that a missing title is reported only once.
  const described =
    own.description === undefined ? { description: typeof title === "string" && title !== "" ? title : "-" } : {};
  if (prompt === undefined || prompt === null) return { ...own, ...described };
  for (const field of ["inputExamples", "examples"])
    if (own[field] !== undefined) fault("prompt", `Set either prompt or ${field}`);
  return { ...own, ...described, inputExamples: [prompt].flat() as JsonValue };
}

/** Makes a title from the first line of the first prompt, or else of the description. */
function makeTitle(own: JsonObject, prompt: JsonValue | undefined): string | undefined {
  const [input] = [own.examples ?? []].flat();
  const example = isObject(input) ? input.input : undefined;
  const [text] = [prompt ?? example ?? own.inputExamples ?? own.prompts ?? own.description ?? []].flat();
  const line = typeof text === "string" ? text.split(/[\r\n]/).find((each) => each.trim() !== "") : undefined;
  const words = line?.trim().replaceAll(/\s+/g, " ");
  if (words === undefined) return undefined;
  return words.length <= titleLengthMax
    ? words
    : `${words
        .slice(0, titleLengthMax - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

function readText(field: string, value: JsonValue | undefined, fault: Fault): string | undefined {
  if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
  fault(field, "Expected string");
  return undefined;
}

function readList(field: string, value: JsonValue | undefined, fault: Fault): string[] {
  const list = value ?? [];
  if (Array.isArray(list) && list.length <= namesMax && list.every((name) => typeof name === "string")) return list;
  fault(field, `Expected a list of at most ${namesMax} names or ids`);
  return [];
}
