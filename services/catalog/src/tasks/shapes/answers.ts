// Recorded answers of rows, which become metadata of their examples. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { exampleBytesMax } from "@ems/proto/limits";
import { isBlank, type SourceRecord } from "./record.ts";

/** Prefix of the field of a column with recorded answers. */
export const answerPrefix = "examples.metadata.";

export const longAnswer =
  "The recorded answer is too long for metadata: record it with its task by POST /v0/tests/results";
/** Bytes left for the punctuation of the metadata. */
const answersBytesMax = exampleBytesMax - 1024;

/** Recorded answers of a row, as the metadata of its examples. */
export class Answers {
  readonly #byName = new Map<string, JsonValue>();
  #bytes = 0;

  /** Adds an answer; returns false if the metadata would be too large. */
  add(name: string, answer: JsonValue): boolean {
    const bytes = Buffer.byteLength(JSON.stringify([name, answer]));
    if (this.#bytes + bytes > answersBytesMax) return false;
    this.#bytes += bytes;
    this.#byName.set(name, answer);
    return true;
  }

  get metadata(): JsonObject | undefined {
    return this.#byName.size === 0 ? undefined : Object.fromEntries(this.#byName);
  }
}

/** Describes what became of recorded answers. */
export function answersNote(fields: readonly string[]): string {
  return `Recorded answers are in the metadata of the examples: ${fields.join(", ")}. To evaluate them, record them by POST /v0/tests/results`;
}

interface PlannedColumn {
  readonly name: string;
  readonly becomes: string;
  readonly read: (record: SourceRecord) => JsonValue | undefined;
}

/** Lists the columns in which a row has a recorded answer. */
export function listAnswered(columns: readonly PlannedColumn[], records: readonly SourceRecord[]): string[] {
  return columns
    .filter(({ becomes, read }) => becomes.startsWith(answerPrefix) && records.some((each) => !isBlank(read(each))))
    .map(({ name }) => name);
}
