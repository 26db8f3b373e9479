import { deflateSync } from "node:zlib";
import { buildDocx, buildPdf, buildXlsx } from "@ems/test-support/upload-files";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { ReadBudget, type ReadLimits } from "./budget.ts";
import { readDocx } from "./docx.ts";
import { readPdf } from "./pdf.ts";
import { readXlsx } from "./xlsx.ts";

const limits: ReadLimits = { values: 20_000, columns: 100, depth: 40, bytes: 10_000_000 };
const budget = (own: Partial<ReadLimits> = {}) => new ReadBudget({ ...limits, ...own });
const sheets = (file: Uint8Array, own = {}) => Array.fromAsync(readXlsx(file, budget(own), { sheets: 2 }));
const blocks = (file: Uint8Array, own = {}) => Array.fromAsync(readDocx(file, budget(own)));
const pages = (file: Uint8Array, own = {}) => Array.fromAsync(readPdf(file, budget(own), { pages: 2 }));

const cell = (address: string, value = "1") => `<c r="${address}"><v>${value}</v></c>`;
const paragraph = (text: string, properties = "") => `<w:p>${properties}<w:r><w:t>${text}</w:t></w:r></w:p>`;

test("sheets contain only the rows with text, not formatted empty cells", async () => {
  const formatted = '<row r="1048576"><c r="XFD1048576" s="1"/></row>';
  const rows = `<row r="2">${cell("A2")}<c r="C2" s="1"><v>45000</v></c></row>${formatted}`;
  expect(await sheets(buildXlsx({ Fees: rows, Empty: "" }))).toEqual([
    { name: "Fees", rows: [{ row: 2, cells: ["1", "", "2023-03-15"] }] },
    { name: "Empty", rows: [] },
  ]);
});

test.for([
  ["a cell in the last row and column", `<row r="1048576">${cell("XFD1048576")}</row>`, "LIMIT"],
  ["a row that XLSX does not have", `<row r="99999999999">${cell("A1")}</row>`, "INVALID"],
  ["an address that is written with entities", `<row r="1">${cell("&#65;1")}</row>`, "INVALID"],
  ["more columns than allowed", `<row r="1">${cell("ZZ1")}</row>`, "LIMIT"],
  ["a million elements", "<a/>".repeat(1_000_000), "LIMIT"],
  ["a million open brackets", "<".repeat(1_000_000), "INVALID"],
  ["a million open comments", "<!--".repeat(1_000_000), "INVALID"],
  ["one tag of megabytes", `<a ${"a".repeat(3_000_000)}`, "INVALID"],
] as const)("a workbook with %s is refused at once", async ([, rows, reason]) => {
  const startMs = performance.now();
  await expect(sheets(buildXlsx({ a: rows }))).rejects.toMatchObject({ name: "UnreadableText", reason });
  expect(performance.now() - startMs).toBeLessThan(5_000);
});

test("archives are unpacked within limits, whatever sizes they declare", async () => {
  const zeros = new Uint8Array(50_000_000);
  const LIMIT = { reason: "LIMIT" };
  await expect(sheets(zipSync({ "xl/workbook.xml": zeros }))).rejects.toMatchObject(LIMIT);
  await expect(blocks(zipSync({ "word/document.xml": zeros }))).rejects.toMatchObject(LIMIT);
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`${at}.png`, new Uint8Array()]));
  await expect(blocks(zipSync(many))).rejects.toMatchObject(LIMIT);
  await expect(sheets(buildXlsx({ a: "", b: "", c: "" }))).rejects.toMatchObject({
    ...LIMIT,
    position: { sheet: "c" },
  });
  for (const read of [sheets, blocks, pages])
    await expect(read(Buffer.from("PK no more"))).rejects.toMatchObject({ reason: "INVALID" });
});

test("a Word document becomes headings, paragraphs, items and tables", async () => {
  const heading = paragraph("Fees", '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>');
  const row = (...cells: string[]) => `<w:tr>${cells.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join("")}</w:tr>`;
  const body = `${heading}${paragraph("None.")}${paragraph(" ")}<w:tbl>${row("a", "b")}${row("1", "2")}</w:tbl>`;
  expect(await blocks(buildDocx(body))).toEqual([
    // The document has no styles, so the heading's style name is unknown.
    { kind: "paragraph", text: "Fees" },
    { kind: "paragraph", text: "None." },
    {
      kind: "table",
      rows: [
        ["a", "b"],
        ["1", "2"],
      ],
    },
  ]);
});

test.for([
  ["tables in tables", nested("<w:tbl><w:tr><w:tc>", 50, "</w:tc></w:tr></w:tbl>"), "LIMIT"],
  ["elements in elements", nested("<w:sdt>", 10_000, "</w:sdt>"), "LIMIT"],
  ["a million paragraphs", "<w:p/>".repeat(1_000_000), "LIMIT"],
  ["open brackets", "<".repeat(1_000_000), "INVALID"],
] as const)("a Word document with %s is refused at once", async ([, body, reason]) => {
  const startMs = performance.now();
  await expect(blocks(buildDocx(body))).rejects.toMatchObject({ name: "UnreadableText", reason });
  expect(performance.now() - startMs).toBeLessThan(5_000);
});

test("a Word document reads no file that it links to", async () => {
  const blip = `<a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" r:link="r9"/>`;
  const picture = `<w:drawing><wp:inline xmlns:wp="w">${blip}</wp:inline></w:drawing>`;
  const body = `<w:p xmlns:r="r"><w:r>${picture}<w:t>text</w:t></w:r></w:p>`;
  expect(await blocks(buildDocx(body))).toEqual([{ kind: "paragraph", text: "text" }]);
});

test("a PDF's text is read by page, within limits of pages, pieces and characters", async () => {
  expect(await pages(buildPdf(["One", "Two"]))).toEqual([
    { page: 1, text: "One" },
    { page: 2, text: "Two" },
  ]);
  const LIMIT = { reason: "LIMIT" };
  await expect(pages(buildPdf(["1", "2", "3"]))).rejects.toMatchObject({ ...LIMIT, position: { page: 3 } });
  const drawn = deflateSync(`BT /F1 12 Tf ${"(a) Tj ".repeat(30_000)} ET`);
  const file = buildPdf(["x", "x"], drawn);
  await expect(pages(file, { bytes: file.length + 50 })).rejects.toMatchObject({
    ...LIMIT,
    position: { page: 1 },
  });
});

function nested(open: string, times: number, close: string): string {
  return open.repeat(times) + paragraph("x") + close.repeat(times);
}
