// Files written by other programs (services/kit/test/files).

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ReadBudget } from "./budget.ts";
import { readCsv } from "./csv.ts";
import { readDocx } from "./docx.ts";
import { readJsonl } from "./jsonl.ts";
import { readPdf } from "./pdf.ts";
import { readXlsx } from "./xlsx.ts";

const file = (name: string) => readFile(join(import.meta.dirname, "../../test/files", name));
const budget = () => new ReadBudget({ values: 100_000, columns: 1_000, depth: 100, bytes: 10_000_000 });
const rows = async (name: string) => Array.fromAsync(readCsv(await file(name), budget()), ({ cells }) => cells);

test("workbooks of openpyxl and pandas", async () => {
  const sheets = await Array.fromAsync(readXlsx(await file("openpyxl.xlsx"), budget(), { sheets: 10 }));
  expect(sheets.map(({ name, rows: [first] }) => [name, first?.row])).toEqual([
    ["Fees & more", 1],
    ["Empty", undefined],
    ["Zweites", 2],
  ]);
  expect(sheets[0]?.rows.map(({ row, cells }) => [row, ...cells])).toEqual([
    [1, "Account", "Fee", "Since", "Active", "Note"],
    [2, "Giro", "4.9", "2026-03-01", "true", "line one\nline two | bar"],
    // A formula that was never calculated has no value.
    [3, "Depot – Ü 😀", "0", "2026-03-01T14:30:00.000Z", "false", ""],
    [5, "merged", "", "", "", ""],
  ]);
  const [frame] = await Array.fromAsync(readXlsx(await file("pandas.xlsx"), budget(), { sheets: 10 }));
  expect(frame?.rows.map(({ cells }) => cells)).toEqual([
    ["title", "prompt", "when", "score"],
    ["Cost", "What does it cost?", "2026-01-02", "0.5"],
    ["Hours", "", "2026-01-03", ""],
  ]);
});

test("tables of pandas, also in UTF-16, and in the dialects of Excel", async () => {
  const frame = [
    ["title", "prompt", "when", "score"],
    ["Cost", "What does it cost?", "2026-01-02", "0.5"],
    ["Hours", "", "2026-01-03", ""],
  ];
  expect(await rows("pandas.csv")).toEqual(frame);
  expect(await rows("pandas-utf16.csv")).toEqual(frame);
  expect(await rows("excel-sep.csv")).toEqual([
    ["title", "prompt", "tags"],
    ["Gebühr", 'What does "it" cost; now?', "live;old"],
    ["Multi", "line\nbreak", ""],
  ]);
  // Excel's plain "CSV" uses the Windows code page.
  await expect(rows("excel-ansi.csv")).rejects.toMatchObject({ position: { row: 2, byte: 22 } });
  const lines = await Array.fromAsync(readJsonl(await file("pandas.jsonl"), budget()), ({ value }) => value);
  expect(lines).toMatchObject([
    { title: "Cost", score: 0.5 },
    { title: "Hours", prompt: null },
  ]);
});

test("a document of python-docx", async () => {
  const blocks = await Array.fromAsync(readDocx(await file("python-docx.docx"), budget()));
  const item = { kind: "item", level: 0 };
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Fee schedule" },
    { kind: "heading", level: 1, text: "Accounts" },
    { kind: "paragraph", text: "A current account costs 4.90 euros." },
    { ...item, isOrdered: false, text: "First" },
    { ...item, isOrdered: false, text: "Second" },
    { ...item, isOrdered: true, text: "One" },
    { ...item, isOrdered: true, text: "Two" },
    {
      kind: "table",
      rows: [
        ["Account", "Fee | month"],
        ["Giro", "4.90"],
      ],
    },
    { kind: "paragraph", text: "Bold text and a\tTab and a\nbreak." },
  ]);
});

test("a PDF of reportlab", async () => {
  const pages = await Array.fromAsync(readPdf(await file("reportlab.pdf"), budget(), { pages: 10 }));
  expect(pages).toEqual([
    { page: 1, text: "Fees of the bank\n4.90 euros a month" },
    { page: 2, text: "Second page" },
  ]);
});
