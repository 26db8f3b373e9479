import { counter } from "@ems/kit/telemetry/metrics";

const countCharacters = counter({
  name: "ems_replaced_characters_total",
  help: "Characters of telemetry that PostgreSQL cannot store (NUL, lone surrogates) and that were replaced by U+FFFD.",
  labels: [],
});

/** Counts the characters that were replaced in one row. */
export function countReplaced(characters: number): void {
  if (characters > 0) countCharacters({}, characters);
}
