import fc from "fast-check";
import { expect, test } from "vitest";
import { ReadBudget } from "./budget.ts";
import { readCsv } from "./csv.ts";
import { formatCsvCell, readCsvCell } from "./csv-cell.ts";

test.for([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", `"'\t=1"`],
  ["\r=1", `"'\r=1"`],
  ["'=1", "''=1"],
  ["it's", "it's"],
  ["'quoted'", "'quoted'"],
  ["a;b", '"a;b"'],
] as const)("%j is written as %j", ([text, cell]) => {
  expect(formatCsvCell(text)).toBe(cell);
});

test("every text is read as it was written, and none begins like a formula", async () => {
  const start = fc.constantFrom("", "=", "+", "-", "@", "\t", "\r", "'", "'=", "''-", " =", "|", "%");
  const text = fc.tuple(start, fc.string({ maxLength: 20 })).map((parts) => parts.join("").replaceAll("\0", ""));
  await fc.assert(
    fc.asyncProperty(text, async (written) => {
      const budget = new ReadBudget({ values: 100, columns: 10, depth: 4, bytes: 10_000 });
      const [found] = await Array.fromAsync(readCsv(`x,${formatCsvCell(written)}`, budget));
      const cell = found?.cells[1] ?? "";
      expect(cell).not.toMatch(/^\s*[=+\-@]/);
      expect(readCsvCell(cell)).toBe(written);
    }),
    { numRuns: 300, seed: 33 },
  );
});
