import { expect, test } from "vitest";
import { findDifferences } from "../edits/fields.ts";
import type { Redaction } from "./redaction-requests.ts";
import { builtInRows, newRule, type Rule, ruleFields, toggleBuiltIn, toRedaction, toRule } from "./rules.ts";

const email: Rule = { ...newRule, name: "EMAIL", builtIn: "EMAIL" };
const named: Rule = { ...email, name: "mail", replacement: "***", enabled: false };
const own: Rule = { ...newRule, name: "customer", pattern: "K-\\d+" };

const stored = { name: "customer", pattern: "K-\\d+", builtIn: null, enabled: true } satisfies Partial<Redaction>;

test.each([
  ["a default replacement is left to the API", "[redacted:customer]", null],
  ["a custom replacement stays", "***", "***"],
  ["an empty replacement stays and removes matches", "", ""],
])("%s", (_, replacement, expected) => {
  const rule = toRule({ ...stored, replacement });
  expect(rule.replacement).toBe(expected);
  expect(toRedaction(rule).replacement).toBe(expected ?? undefined);
});

test.each([
  [email, { builtIn: "EMAIL" }],
  [named, { name: "mail", builtIn: "EMAIL", replacement: "***", enabled: false }],
  [own, { name: "customer", pattern: "K-\\d+" }],
  [newRule, { pattern: "" }],
] as const)("the request leaves out the API's defaults: %j", (rule, sent) => {
  expect(toRedaction(rule)).toEqual(sent);
});

test("each rule of a built-in pattern has a row with its index, and so has a pattern without rules", () => {
  const rows = builtInRows([own, email, named]);
  expect(rows.slice(0, 3)).toEqual([
    { builtIn: "EMAIL", index: 1 },
    { builtIn: "EMAIL", index: 2 },
    { builtIn: "PHONE", index: -1 },
  ]);
  expect(rows).toHaveLength(7);
});

test("switching off removes a built-in pattern, unless it has its own name or replacement", () => {
  const row = (index: number) => ({ builtIn: "EMAIL", index }) as const;
  expect(toggleBuiltIn([own], row(-1))).toEqual([own, email]);
  expect(toggleBuiltIn([own, email], row(1))).toEqual([own]);
  const on = toggleBuiltIn([own, named], row(1));
  expect(on).toEqual([own, { ...named, enabled: true }]);
  expect(toggleBuiltIn(on, row(1))).toEqual([own, named]);
});

test("a rule that another person adds is compared by its name, not by its index", () => {
  const base = { redactions: [own] };
  expect(findDifferences(ruleFields, base, base, { redactions: [email, own] })).toEqual([
    { label: "Rule: EMAIL", mine: "", theirs: expect.stringContaining("E-mail addresses"), changedBy: "others" },
  ]);
});
