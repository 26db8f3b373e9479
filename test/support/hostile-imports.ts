// Import texts that are expensive to read, each within the limit of a megabyte.

export interface HostileImport {
  readonly name: string;
  readonly format: "CSV" | "JSONL" | "JSON" | "YAML";
  readonly content: string;
}

const textMax = 1_040_000;
const times = <Item>(count: number, item: (at: number) => Item) => Array.from({ length: count }, (_, at) => item(at));
const filled = (text: string) => text.repeat(Math.floor(textMax / text.length));
const short = (at: number) => at.toString(36);

export function hostileImports(): readonly HostileImport[] {
  const csv: Readonly<Record<string, string>> = {
    "217,598 distinct columns": times(217_598, short).join(","),
    "a million commas": filled(","),
    "a right header of 60,000 columns": `title,${times(60_000, (at) => `metadata.${short(at)}`).join(",")}\na`,
    "rows of carriage returns": `title,prompt\n${filled(",\r").slice(20)}`,
    "a quarter of a million empty quotes": filled('"",'),
    "a cell of half a million quotes": filled('"'),
    "a quote that is never closed": `title\n"${filled("a\n").slice(10)}`,
    "a million empty lines": filled("\n"),
    "half a million rows": filled("a\n"),
    "a header of 999 wrong columns, and rows": `${times(999, (at) => `wrong ${at}`).join()}\n${filled("a\n").slice(20_000)}`,
    "a column's name of a megabyte": filled("x"),
    "3,000 cells that are no JSON": `title,metadata,inputExamples,prompts\n${times(999, () => 'a,"{","[","["').join("\n")}`,
  };
  const item = (at: number) => `"${short(at)}"`;
  const jsonl: Readonly<Record<string, string>> = {
    "one line of half a million numbers": `{"title":"a","metadata":{"a":[${filled("1,").slice(50)}1]}}`,
    "one line of 90,000 numbers": `{"title":"a","metadata":{"a":[${"1,".repeat(90_000)}1]}}`,
    "half a million open lists": filled("["),
    "one text of a megabyte": `{"title":"${filled("a").slice(50)}"}`,
    "a text of escapes that cannot be stored": `{"title":"${filled("\\u0000").slice(60)}"}`,
    "340,000 empty objects": filled("{}\n"),
    "90,000 unknown names": `{${times(90_000, (at) => `${item(at)}:1`).join()}}`,
    "999 lines of 90 unknown tags": times(
      999,
      (row) => `{"title":"a","tags":[${times(90, (at) => item(row * 90 + at)).join()}]}`,
    ).join("\n"),
    "a megabyte that is no JSON": filled("x\n"),
  };
  const yaml: Readonly<Record<string, string>> = {
    "anchors that double thirty times": `a0: &a0 [x]\n${times(30, (at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join("\n")}`,
    "an anchor that contains itself": "tests: &a\n  - vars: {q: x}\n    more: *a\n",
    "sixty lists that multiply": `tests:\n  - vars:\n${times(60, (at) => `      v${at}: [a, b, c]`).join("\n")}`,
    "a prompt that repeats a long variable": `prompts: ["${"{{a}}".repeat(20_000)}"]\nproviders: [x]\ntests: [{vars: {a: ${"x".repeat(500_000)}}}]`,
    "variables that contain each other": `prompts: ["{{a}}"]\nproviders: [x]\ntests: [{vars: {a: "${"{{a}}".repeat(5_000)}"}}]`,
    "a thousand tests of one variable": `tests:\n${times(1_001, (at) => `  - vars: {q: ${short(at)}}`).join("\n")}`,
    "a megabyte of open lists": filled("- "),
  };
  const json: Readonly<Record<string, string>> = {
    "half a million items": `[${filled("1,").slice(50)}1]`,
    "columns of a table that never ends": `{${times(900, (at) => `${item(at)}:[${"1,".repeat(90)}1]`).join()}}`,
  };
  return [
    ...Object.entries(yaml).map(([name, content]) => ({ name, format: "YAML" as const, content })),
    ...Object.entries(json).map(([name, content]) => ({ name, format: "JSON" as const, content })),
    ...Object.entries(csv).map(([name, content]) => ({ name, format: "CSV" as const, content })),
    ...Object.entries(jsonl).map(([name, content]) => ({ name, format: "JSONL" as const, content })),
  ];
}
