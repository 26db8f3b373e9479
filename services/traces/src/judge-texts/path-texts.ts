// Pure: the texts that paths find.

import type { JsonValue } from "@bufbuild/protobuf";
import { isExactNumber } from "@ems/kit/json/exact-number";
import { type PathField, type StoredValue, type StoredValues, toId } from "../trace-paths/index.ts";
import { type Role, readSpoken } from "./spoken.ts";
import { answerIn, questionIn } from "./texts.ts";

/** A text that a path finds, and its step. */
export interface PathText {
  readonly text: string;
  readonly stepId: string | null;
}

/** Returns the first texts of a setting's path. */
export function pathTexts(field: PathField, { values }: Pick<StoredValues, "values">, max: number): PathText[] {
  const texts: PathText[] = [];
  for (const value of values())
    for (const text of readers[field](value)) {
      texts.push({ text, stepId: value.stepId });
      if (texts.length === max) return texts;
    }
  return texts;
}

const spoken =
  (role: Role, readWhole: (text: string) => string | undefined) =>
  ({ value, isWhole }: StoredValue): string[] => {
    const text = isWhole && typeof value === "string" ? readWhole(value) : readValue(value, role);
    return text === undefined || text.trim() === "" ? [] : [text];
  };

const id = ({ value }: StoredValue): string[] => [toId(value)].filter((found) => found !== undefined);

const readers: Readonly<Record<PathField, (value: StoredValue) => readonly string[]>> = {
  question: spoken("user", questionIn),
  answer: spoken("assistant", answerIn),
  context: ({ value }) => (Array.isArray(value) ? value : [value]).map(toText).filter((text) => text.trim() !== ""),
  session: id,
  user: id,
};

function readValue(value: JsonValue, role: Role): string | undefined {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return toText(value);
  const found = readSpoken(value, role);
  return found === "silent" ? undefined : (found ?? toText(value));
}

function toText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
