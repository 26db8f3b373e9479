import type { Choice } from "../filters/choice-filter.tsx";
import type { Found } from "./found.ts";

/** Finds the choices that contain a text, for resources that the API cannot search. Chosen values are always included. */
export function findTyped(choices: readonly Choice<string>[], typed: string, chosen: readonly string[]): Found {
  const text = typed.trim().toLowerCase();
  const unknown = chosen.filter((id) => choices.every(({ value }) => value !== id));
  const matches = choices.filter(({ value, label }) => chosen.includes(value) || label.toLowerCase().includes(text));
  return { choices: [...unknown.map((id) => ({ value: id, label: id })), ...matches], total: matches.length };
}
