import { deflateSync } from "node:zlib";
import { buildPdf, buildUpload, buildXlsx } from "@ems/test-support/upload-files";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { quietly } from "../harness/quiet-tenant.ts";
import type { TestTenant } from "../harness/tenant.ts";

const product = await startAttacked();

async function upload({ api }: TestTenant, content: string | Uint8Array<ArrayBuffer>, name: string) {
  const { payload, contentType } = await buildUpload(new File([content], name));
  return api.send("POST", "/v0/documents/upload", { raw: payload, headers: { "content-type": contentType } });
}

/** Page contents that inflate a thousand times. */
const repeated = (text: string, mib: number) => deflateSync(Buffer.alloc(mib * 1024 * 1024, text), { level: 9 });
const drawn = deflateSync(`BT /F1 12 Tf ${"(a) Tj ".repeat(2_000_000)} ET`);

test.each([
  ["a PDF that inflates to a gigabyte of spaces", buildPdf(["x"], repeated(" ", 1024)), "a.pdf"],
  ["a PDF that inflates to a gigabyte of brackets", buildPdf(["x"], repeated("[", 1024)), "a.pdf"],
  ["a PDF of a hundred pages of two million words each", buildPdf(Array(100).fill("x"), drawn), "a.pdf"],
  [
    "a workbook with one cell in its last row and column",
    buildXlsx({ a: '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' }),
    "a.xlsx",
  ],
] as const)("%s ends at a limit, and a quiet tenant notices nothing", async (_, file, name) => {
  const [hostile, quiet] = [await product.tenant(), await product.tenant()];
  const attack = upload(hostile, file, name);
  await quietly(quiet, 2_000);
  const other = await upload(quiet, "# Fees", "a.md");
  expect([other.status, other.body.message]).toEqual([201, undefined]);
  const { status, body } = await attack;
  expect([[400, 413], body.message]).toEqual([expect.arrayContaining([status]), body.message]);
});

test("ten uploads of one tenant at once wait for each other, and further ones get Retry-After", async () => {
  const [hostile, quiet] = [await product.tenant(), await product.tenant()];
  const slow = buildPdf(Array(60).fill("x"), drawn);
  const attacks = Promise.all(Array.from({ length: 10 }, () => upload(hostile, slow, "a.pdf")));
  await quietly(quiet, 2_000);
  expect((await upload(quiet, "# Fees", "a.md")).status).toBe(201);
  const answers = await attacks;
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited.length).toBeGreaterThan(0);
  // The gateway limits large bodies, the catalog the files that it reads.
  for (const { headers } of limited) expect(["1", "5"]).toContain(headers.get("retry-after"));
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
});

test("giant headers of a part, and hundreds of thousands of parts, are no form", async () => {
  const { api } = await product.tenant();
  const part = (headers: string) => `--x\r\n${headers}content-disposition: form-data; name="a"\r\n\r\nb\r\n`;
  for (const form of [
    part(`x-a: ${"n".repeat(15_000_000)}\r\n`),
    part("x-a: n\r\n".repeat(1_500_000)),
    part("").repeat(200_000),
    "--x\r\n".repeat(3_000_000),
  ]) {
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const { status } = await api.send("POST", "/v0/documents/upload", { raw: `${form}--x--\r\n`, headers });
    expect(status).toBe(400);
  }
});
