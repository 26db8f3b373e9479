import type { Mutation } from "./mutation.ts";

type Edit = Pick<Mutation, "start" | "end" | "replacement">;

const isSql = /\b(SELECT|UPDATE|DELETE FROM|INSERT INTO|WHERE|RETURNING|INTERSECT)\b/;
const operand = String.raw`(?:[\w.$]+(?:\(\))?(?:::\w+(?:\[\])?)?|'[^']*')`;

const rules: readonly (readonly [pattern: RegExp, replace: (match: RegExpExecArray) => string])[] = [
  // Makes a condition always true without changing types; skips application_id, since ids are unique without it.
  [
    new RegExp(
      String.raw`(?<=\b(?:AND|WHERE|OR) )(?!\S*application_id)(${operand} (?:=|<|>|<=|>=|<>) ${operand})(?=\s|\)|$|\`)(?! ?[-+([:])`,
      "g",
    ),
    ([found]) => `(${found} OR true)`,
  ],
  [/\bIS NULL\b/g, () => "IS NOT NULL"],
  [/\bIS NOT NULL\b/g, () => "IS NULL"],
  [/\bNOT EXISTS\b/g, () => "EXISTS"],
  [/(?<!BETWEEN \S+) AND (?=[a-z$(])/g, () => " OR "],
  [/ FOR UPDATE(?: OF \w+)?(?: SKIP LOCKED)?/g, () => ""],
  [/ SKIP LOCKED/g, () => ""],
  [/ ON CONFLICT DO NOTHING/g, () => ""],
  [/\bgreatest\(/g, () => "least("],
  [/\bleast\(/g, () => "greatest("],
  [/\bmax\(/g, () => "min("],
  [/\bmin\(/g, () => "max("],
  [/(?<=\(\)) \+ (?=\S)/g, () => " - "],
  [/(?<=[\w)]) \+ (?=1\b)/g, () => " - "],
  [/ DESC\b/g, () => ""],
];

/** Returns the edits of an SQL text; none for other texts. */
export function sqlEdits(text: string, offset: number): Edit[] {
  if (!isSql.test(text)) return [];
  return rules.flatMap(([pattern, replace]) =>
    [...text.matchAll(pattern)].map((match) => {
      const start = offset + match.index;
      return { start, end: start + match[0].length, replacement: replace(match as RegExpExecArray) };
    }),
  );
}
