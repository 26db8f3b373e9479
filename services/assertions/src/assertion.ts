// Assertions about one text. Each can be negated, and gives a reason that says what differs.

import type { TextSettings } from "./fold.ts";
import type { Json } from "./json-text.ts";

/** Expectation of a text. Any text of a list is enough, except for `contains` with `match: "all"`. */
export type Expectation =
  | { readonly type: "equals"; readonly expected: readonly string[] }
  | { readonly type: "contains"; readonly expected: readonly string[]; readonly match: "all" | "any" }
  | { readonly type: "starts-with"; readonly expected: readonly string[] }
  /** A match of a regular expression anywhere in the text, in RE2's semantics. */
  | { readonly type: "matches"; readonly pattern: string; readonly flags: string }
  /** The text has one number, which differs from the expected one by at most the tolerance. Exact decimals. */
  | { readonly type: "number"; readonly expected: number | string; readonly tolerance: number | string }
  /** The text, or its only fenced block, is JSON with this value, which may be given as JSON text. */
  | { readonly type: "json-equals"; readonly expected: Json }
  /** The text, or its only fenced block, is JSON that matches the JSON Schema (draft 2020-12). */
  | { readonly type: "json-schema"; readonly schema: object }
  /** At most `max` characters must be inserted, deleted or replaced to get one of the expected texts. */
  | { readonly type: "edit-distance"; readonly expected: readonly string[]; readonly max: number };

export type Assertion = Expectation & TextSettings & { /** True to expect the opposite. */ readonly not?: boolean };

/** Result of an assertion. */
export type AssertionResult =
  | { readonly ok: true; readonly passed: boolean; readonly reason: string }
  /** The assertion could not be checked. The message begins with a code, such as `pattern_timeout: `. */
  | { readonly ok: false; readonly message: string };

/** Result of an expectation: what is true of the text, and why that is not what was expected. */
export type Finding =
  | { readonly holds: true; readonly fact: string }
  | { readonly holds: false; readonly fact: string; readonly fault: string }
  | { readonly holds: undefined; readonly message: string };
