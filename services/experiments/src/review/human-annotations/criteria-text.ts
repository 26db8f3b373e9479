// The line of an issue's description that lists failed criteria. Pure.

import type { HumanAnnotationRow } from "./entity.ts";

export type NamesOfCriteria = ReadonlyMap<string, string>;

const descriptionLengthMax = 10_000;
const line = /\n*^Failed criteria: .*$/gm;

/** Returns the names of the failed criteria, each once and sorted; empty if only whole answers failed. */
export function listCriteria(
  failures: readonly Pick<HumanAnnotationRow, "definitionId">[],
  names: NamesOfCriteria,
): string[] {
  const ids = [...new Set(failures.map(({ definitionId }) => definitionId))];
  if (ids.every((id) => id === null)) return [];
  const found = ids.flatMap((id) => (id === null ? [] : (names.get(id) ?? id).replaceAll(/\s+/g, " ")));
  return [...found.toSorted(), ...(ids.includes(null) ? ["whole answer"] : [])];
}

/** Returns the description with these criteria in place of those listed before. */
export function withCriteria(description: string | null, criteria: readonly string[]): string | null {
  const text = (description ?? "").replaceAll(line, "").trim();
  if (criteria.length === 0) return text === "" ? description : text;
  const whole = [text, `Failed criteria: ${criteria.join(", ")}`].filter((part) => part !== "").join("\n\n");
  return whole.length <= descriptionLengthMax ? whole : description;
}
