import fc from "fast-check";
import { expect, test } from "vitest";
import { ReadBudget, type ReadLimits, UnreadableText } from "./budget.ts";
import { readCsv } from "./csv.ts";

const limits: ReadLimits = { values: 10_000, columns: 1_000, depth: 32, bytes: 1_000_000 };

function read(input: string | Uint8Array, own: Partial<ReadLimits> = {}) {
  return Array.fromAsync(readCsv(input, new ReadBudget({ ...limits, ...own })), ({ row, cells }) => [row, ...cells]);
}

async function failure(input: string | Uint8Array, own: Partial<ReadLimits> = {}) {
  const error: unknown = await read(input, own).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UnreadableText);
  return error instanceof UnreadableText ? { reason: error.reason, message: error.message } : undefined;
}

test.for([
  ["commas", "a,b\n1,2\n"],
  ["semicolons and CRLF", "a;b\r\n1;2\r\n"],
  ["tabs", "a\tb\n1\t2"],
  ["lines of old Macs", "a,b\r1,2\r"],
  ["a byte order mark", "\ufeffa,b\n1,2"],
  ["Excel's line that names the delimiter", "sep=|\r\na|b\r\n1|2\r\n"],
  ["quotes", '"a","b"\n"1","2"'],
  ["empty lines", "\n\na,b\n\n1,2\n\n"],
] as const)("%s", async ([, text]) => {
  expect(await read(text)).toEqual([
    [1, "a", "b"],
    [2, "1", "2"],
  ]);
});

test("quoted cells may contain delimiters, line breaks and doubled quotes; rows may be short", async () => {
  expect(await read('a,b\n"1, 2","x\r\n""y"""\n3')).toEqual([
    [1, "a", "b"],
    [2, "1, 2", 'x\r\n"y"'],
    [3, "3"],
  ]);
  // The delimiter is determined outside of quotes.
  expect(await read('"a,b,c";d\n1;2')).toEqual([
    [1, "a,b,c", "d"],
    [2, "1", "2"],
  ]);
  expect(await read("")).toEqual([]);
});

test("any table is read exactly as written, across the slices of the parser", async () => {
  const cell = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replaceAll("\0", ""));
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(table, fc.nat(17_000), async (rows, padding) => {
      const padded = [["p".repeat(padding), "😀"], ...rows];
      const text = padded.map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(",")).join("\n");
      const found = await read(text);
      expect(found.map(([, ...cells]) => cells)).toEqual(padded);
    }),
    { numRuns: 50, seed: 33 },
  );
});

test("an error contains its row", async () => {
  const reason = "INVALID";
  expect(await failure('a\n1\n"2')).toEqual({ reason, message: "A quote is not closed (row 3)" });
  expect(await failure('a,b\n1,"x"y')).toEqual({
    reason,
    message: "Text follows the quote that closes a cell (row 2)",
  });
  expect(await failure('a,b\n1,5" pipe')).toMatchObject({ message: expect.stringContaining("(row 2)") });
});

test("cells, columns and bytes have limits, the last allowed one included", async () => {
  const reason = "LIMIT";
  expect(await read("a,b,c\n1,2,3", { columns: 3 })).toHaveLength(2);
  expect(await failure("a,b\n1,2,3", { columns: 2 })).toEqual({
    reason,
    message: "Expected at most 2 columns (row 2, column 3)",
  });
  // Quoted delimiters do not separate columns.
  expect(await read('a\n",,,,"', { columns: 1 })).toHaveLength(2);
  expect(await read("a,b\n1,2\n", { values: 4 })).toHaveLength(2);
  expect(await failure("a,b\n1,2\n3,4\n", { values: 4 })).toMatchObject({ reason });
  // Columns are counted even if a row contains a carriage return.
  expect(await failure(`a,b\n${"1,\r".repeat(50)}`, { columns: 20 })).toMatchObject({ reason });
  expect(await failure("a,b", { bytes: 2 })).toEqual({ reason, message: "Expected at most 2 bytes" });
});

test("characters that cannot be stored are replaced and counted", async () => {
  const budget = new ReadBudget(limits);
  const rows = await Array.fromAsync(readCsv("a\0,\ud800b", budget));
  expect(rows).toEqual([{ row: 1, cells: ["a\ufffd", "\ufffdb"] }]);
  expect(budget.replacedCharacters).toBe(2);
});
