// Keys and tokens with a recognizable prefix.

import { findRanges } from "./matches.ts";
import type { Range } from "./range.ts";

/** Each pattern ends in one class of characters, so that matching never backtracks. */
const forms = [
  // Model providers and payment.
  String.raw`sk-[\w-]{20,}`,
  String.raw`(?:sk|rk|pk)_(?:live|test)_[A-Za-z\d]{16,}`,
  // This product.
  String.raw`ems_[A-Za-z\d]{49}`,
  // Code hosts and registries.
  String.raw`gh[pousr]_[A-Za-z\d]{30,}`,
  String.raw`github_pat_\w{30,}`,
  String.raw`glpat-[\w-]{20,}`,
  String.raw`npm_[A-Za-z\d]{36}`,
  String.raw`hf_[A-Za-z\d]{30,}`,
  // Clouds and messaging.
  String.raw`A(?:KIA|SIA)[A-Z\d]{16}`,
  String.raw`AIza[\w-]{35}`,
  String.raw`xox[abeoprs]-[A-Za-z\d-]{10,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`whsec_[A-Za-z\d+/=]{24,}`,
  // JSON Web Tokens.
  String.raw`eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*`,
];
const keys = new RegExp(String.raw`(?:(?<![\w-])|(?<=\\[nrt]))(?:${forms.join("|")})`, "g");
const beginnings = /sk-|[srp]k_|ems_|gh[pousr]_|github_pat_|glpat-|npm_|hf_|A(?:KIA|SIA|Iza)|xox|SG\.|whsec_|eyJ/;

export function apiKeys(text: string): Range[] {
  return beginnings.test(text) ? findRanges(text, keys) : [];
}
