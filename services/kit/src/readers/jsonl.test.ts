import { expect, test } from "vitest";
import { ReadBudget, type ReadLimits } from "./budget.ts";
import { readJsonl } from "./jsonl.ts";

const limits: ReadLimits = { values: 1_000, columns: 0, depth: 4, bytes: 100_000 };
const read = (text: string, own: Partial<ReadLimits> = {}) =>
  Array.fromAsync(readJsonl(text, new ReadBudget({ ...limits, ...own })), ({ row, value, error }) => [
    row,
    error?.message ?? value,
  ]);

test("each line with text is a value, or an error with its path; later lines are still read", async () => {
  expect(await read('\ufeff{"a": 1}\r\n\n  \n[2]\nnull\n{"b": [1, tru]}\n"c"')).toEqual([
    [1, { a: 1 }],
    [4, [2]],
    [5, null],
    [6, expect.stringMatching(/^Invalid JSON.* \(row 6, at \$\.b\[1\]\)$/)],
    [7, "c"],
  ]);
  expect(await read("")).toEqual([]);
});

test("values and depth are limited over all lines", async () => {
  expect(await read("[1,2]\n[3,4]", { values: 6 })).toHaveLength(2);
  await expect(read("[1,2]\n[3,4]", { values: 5 })).rejects.toMatchObject({ reason: "LIMIT", position: { row: 2 } });
  await expect(read(`1\n${"[".repeat(6)}${"]".repeat(6)}`)).rejects.toMatchObject({ reason: "LIMIT" });
});

test("escapes of characters that cannot be stored are replaced and counted, also in names", async () => {
  const budget = new ReadBudget(limits);
  const lines = await Array.fromAsync(readJsonl('{"a\\u0000": "\\ud800"}', budget), ({ value }) => value);
  expect(lines).toEqual([{ "a\ufffd": "\ufffd" }]);
  expect(budget.replacedCharacters).toBe(2);
});
