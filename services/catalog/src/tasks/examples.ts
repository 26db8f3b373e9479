// Examples of tasks: prompts with the answers that are expected to them. The column `prompts` has the inputs; `examples`
// has all of them if one has an expectation or metadata, else null.

import type { JsonValue } from "@bufbuild/protobuf";
import { type FieldViolation, invalidFields } from "@ems/kit/errors";
import { fromValue, toValue } from "@ems/kit/json/free-value";
import { definedFields } from "@ems/kit/patch";
import type { TaskExample as ExampleMessage } from "@ems/proto/catalog/v1/task_service";
import { exampleBytesMax, sizeText } from "@ems/proto/limits";
import type { TaskRow } from "./entity.ts";
import type { StoredExample } from "./stored-example.ts";

export type ExampleColumns = Pick<TaskRow, "prompts" | "examples">;

const expectedItemsMax = 1_000;

/** Converts validated examples to columns. */
export function exampleColumns(examples: readonly ExampleMessage[]): ExampleColumns {
  const stored = examples.map(storedExample);
  return { prompts: stored.map(({ input }) => input), examples: stored.some(hasDetails) ? stored : null };
}

/** Returns the columns for new prompts, which keep the details of equal ones. */
export function promptColumns(prompts: readonly string[], before: TaskRow["examples"]): ExampleColumns {
  const stored = keepDetails(prompts, before);
  return { prompts: [...prompts], examples: stored.some(hasDetails) ? stored : null };
}

/** Lists the examples of a row. The previous release changes only `prompts`, as a request for new prompts does. */
export function listExamples({ prompts, examples }: ExampleColumns): readonly StoredExample[] {
  return keepDetails(prompts, examples);
}

/** Builds the messages of examples. */
export function exampleMessages(columns: ExampleColumns) {
  return listExamples(columns).map(({ input, expected, metadata }) => ({
    input,
    ...definedFields({ metadata, expected: expected === undefined ? undefined : toValue(expected) }),
  }));
}

/** Throws if an expectation or metadata is not allowed. Rules of messages cannot measure values. */
export function assertExamples(examples: readonly ExampleMessage[]): void {
  const faults = findExampleFaults(examples);
  if (faults.length > 0) throw invalidFields(faults);
}

/** Returns the errors in expectations and metadata, with their paths. */
export function findExampleFaults(examples: readonly ExampleMessage[]): FieldViolation[] {
  return examples.flatMap(({ expected, metadata }, index): FieldViolation[] => {
    const path = (field: string) => ["examples", index, field];
    const value = expected === undefined ? null : fromValue(expected);
    const faults: FieldViolation[] = [];
    if (!isExpectation(value)) {
      const message = `Expected a text, or a list of at most ${expectedItemsMax.toLocaleString("en")} texts`;
      faults.push({ path: path("expected"), message });
    } else if (isTooLarge(value)) faults.push({ path: path("expected"), message: tooLarge });
    if (isTooLarge(metadata)) faults.push({ path: path("metadata"), message: tooLarge });
    return faults;
  });
}

const tooLarge = `Too large: at most ${sizeText(exampleBytesMax)} as JSON`;

const isTooLarge = (value: unknown) =>
  value !== undefined && Buffer.byteLength(JSON.stringify(value)) > exampleBytesMax;

function isExpectation(value: unknown): boolean {
  if (value === null || typeof value === "string") return true;
  return Array.isArray(value) && value.length <= expectedItemsMax && value.every((item) => typeof item === "string");
}

function storedExample({ input, expected, metadata }: ExampleMessage): StoredExample {
  const value = expected === undefined ? null : (fromValue(expected) as JsonValue);
  return {
    input,
    // Safe cast: assertExamples has checked the value.
    ...(value !== null && { expected: value as string | string[] }),
    ...(metadata !== undefined && Object.keys(metadata).length > 0 && { metadata }),
  };
}

const hasDetails = ({ expected, metadata }: StoredExample) => expected !== undefined || metadata !== undefined;

/** Returns examples with these inputs; each takes the details of the first equal example that is not used yet. */
function keepDetails(prompts: readonly string[], examples: TaskRow["examples"]): readonly StoredExample[] {
  if (examples === null) return prompts.map((input) => ({ input }));
  const isSame = examples.length === prompts.length && prompts.every((input, at) => examples[at]?.input === input);
  if (isSame) return examples;
  const waiting = Map.groupBy(examples, ({ input }) => input);
  const used = new Map<string, number>();
  return prompts.map((input) => {
    const index = used.get(input) ?? 0;
    used.set(input, index + 1);
    return waiting.get(input)?.[index] ?? { input };
  });
}
