// The draft of a new API key, and the request that it makes.

import { toInstants } from "../url/day-range.ts";
import { purposes, type Scope } from "./key-scopes.ts";
import type { NewApiKey } from "./settings-requests.ts";

export interface KeyDraft {
  readonly name: string;
  readonly purpose: keyof typeof purposes | "chosen";
  /** Scopes of the purpose "chosen". */
  readonly scopes: readonly Scope[];
  /** Empty for a key without an expiry. */
  readonly lastDay: string;
}

export const newDraft: KeyDraft = { name: "", purpose: "everything", scopes: [], lastDay: "" };

/** Fields of the draft by the API's path. */
export const fieldNames = { expiresAt: "lastDay", scopes: "scopes" };

export const purposeChoices = [
  ...Object.entries(purposes).map(([value, { label }]) => ({ value, label })),
  { value: "chosen", label: "Selected scopes" },
];

/** Requires a scope: a key without scopes may do everything. */
export const validateKey = ({ purpose, scopes }: KeyDraft): Record<string, string> =>
  purpose === "chosen" && scopes.length === 0 ? { scopes: "Choose at least one" } : {};

export const toNewKey = ({ name, purpose, scopes, lastDay }: KeyDraft): NewApiKey => ({
  name,
  scopes: purpose === "chosen" ? [...scopes] : [...purposes[purpose].scopes],
  expiresAt: lastDay === "" ? null : toInstants({ to: lastDay }).endDate,
});
