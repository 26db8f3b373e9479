// Draft of a new API key, and its conversion to a request.

import { toInstants } from "../url/day-range.ts";
import { purposes, type Scope } from "./key-scopes.ts";
import type { NewApiKey } from "./settings-requests.ts";

export interface KeyDraft {
  readonly name: string;
  readonly purpose: keyof typeof purposes | "chosen";
  /** Selected scopes, used if the purpose is "chosen". */
  readonly scopes: readonly Scope[];
  /** Last day of validity. Empty for a key without an expiry. */
  readonly lastDay: string;
}

export const newDraft: KeyDraft = { name: "", purpose: "everything", scopes: [], lastDay: "" };

/** Maps paths of API issues to fields of the draft. */
export const fieldNames = { expiresAt: "lastDay", scopes: "scopes" };

export const purposeChoices = [
  ...Object.entries(purposes).map(([value, { label }]) => ({ value, label })),
  { value: "chosen", label: "Selected scopes" },
];

/** Requires at least one selected scope, because a key without scopes may do everything. */
export const validateKey = ({ purpose, scopes }: KeyDraft): Record<string, string> =>
  purpose === "chosen" && scopes.length === 0 ? { scopes: "Choose at least one" } : {};

export const toNewKey = ({ name, purpose, scopes, lastDay }: KeyDraft): NewApiKey => ({
  name,
  scopes: purpose === "chosen" ? [...scopes] : [...purposes[purpose].scopes],
  expiresAt: lastDay === "" ? null : toInstants({ to: lastDay }).endDate,
});
