// Builds tasks from the rows of an import. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { readValidated } from "@ems/kit/json/read-validated";
import { type CreateTaskRequest, CreateTaskRequestSchema } from "@ems/proto/catalog/v1/task_service";
import type { FaultList } from "./import-faults.ts";
import type { ImportRow } from "./import-rows.ts";

export interface ImportDraft {
  readonly row: number;
  readonly request: CreateTaskRequest;
  /** Topics, tags and definitions as given in the row, by id, title or name. */
  readonly topic: string | undefined;
  readonly tags: readonly string[];
  readonly definitions: readonly string[];
  readonly expected: string | null;
}

const expectedLengthMax = 10_000;
const namesMax = 100;

/** Validates a row with the rules for a new task; adds its errors to `faults`. */
export function readDraft({ row, fields }: ImportRow, faults: FaultList): ImportDraft {
  const { topic, tags, definitions, expected, prompt, ...own } = fields;
  const fault = (field: string, message: string) => faults.add({ row, field, message });
  const { message: request, issues } = readValidated(CreateTaskRequestSchema, ofTask(own, prompt, fault));
  for (const issue of issues) fault(issue.path.join("."), issue.message);
  const draft = {
    row,
    request,
    topic: readText("topic", topic, fault),
    tags: readList("tags", tags, fault),
    definitions: readList("definitions", definitions, fault),
    expected: readText("expected", expected, fault) ?? null,
  };
  if (draft.topic !== undefined && request.topicId !== undefined) fault("topic", "Set either topic or topicId");
  if (draft.expected !== null && draft.definitions.length === 0)
    fault("expected", "An expected answer requires definitions");
  if ([...(draft.expected ?? "")].length > expectedLengthMax)
    fault("expected", `String must contain at most ${expectedLengthMax} character(s)`);
  return draft;
}

type Fault = (field: string, message: string) => void;

function ofTask(own: JsonObject, prompt: JsonValue | undefined, fault: Fault): JsonObject {
  const { title, description } = own;
  // Sets a description if it is missing, so that a missing title is reported only once.
  const described =
    description === undefined ? { description: typeof title === "string" && title !== "" ? title : "-" } : {};
  if (prompt === undefined || prompt === null) return { ...own, ...described };
  if (own.inputExamples !== undefined) fault("prompt", "Set either prompt or inputExamples");
  return { ...own, ...described, inputExamples: [prompt].flat() as JsonValue };
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
