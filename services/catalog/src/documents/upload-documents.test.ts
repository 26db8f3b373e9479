import { Code, type ConnectError } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { issuesOfError } from "@ems/kit/json/violations";
import { DocumentStatus, DocumentType, LibraryStatus } from "@ems/proto/catalog/v1/document_service";
import { testCall } from "@ems/test-support";
import { buildDocx, buildPdf, buildUpload, buildXlsx } from "@ems/test-support/upload-files";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { documents, topics, tenant } = await catalogHarness();
const call = () => testCall(tenant, 60_000);

type Content = string | Uint8Array<ArrayBuffer>;
async function upload(content: Content, name: string, fields: Record<string, string> = {}) {
  return documents.uploadDocuments(await buildUpload(new File([content], name), fields), call());
}
const contents = async (content: Content, name: string) =>
  (await upload(content, name)).data.map((created) => [created.title, created.content]);
const issues = (refused: Promise<unknown>) =>
  refused.then(
    () => [],
    (error: ConnectError) => issuesOfError(error).map(({ path, message }) => [path.join("."), message]),
  );

test("a file becomes a DRAFT document of the caller, which is found by its upload id", async () => {
  const { data: topic } = await topics.createTopic({ title: "Fees" }, call());
  const fields = {
    topicId: topic?.id ?? "",
    documentType: "POLICY",
    metadata: '{"step": "parsed"}',
    fileName: "Fees.md",
  };
  const { data, fileProcessingId } = await upload("# Fees\n\nNone.", "upload.bin", fields);
  expect(data).toMatchObject([
    {
      title: "Fees",
      content: "# Fees\n\nNone.",
      type: DocumentType.POLICY,
      status: LibraryStatus.DRAFT,
      topicId: topic?.id,
      assignee: tenant.userId,
      fileProcessingId,
      versions: [{ status: DocumentStatus.DRAFT, metadata: { step: "parsed" }, versionNumber: 1 }],
    },
  ]);
  const { POLICY } = DocumentType;
  const filters = { fileProcessingId: [fileProcessingId], documentStatus: LibraryStatus.DRAFT, type: POLICY };
  const listed = await documents.listDocuments(filters, call());
  expect(listed.data).toEqual(data);
});

test("texts are read as UTF-8 or, with a byte order mark, UTF-16", async () => {
  for (const content of [
    "é",
    "\ufeffé",
    new Uint8Array([0xff, 0xfe, 0xe9, 0]),
    new Uint8Array([0xfe, 0xff, 0, 0xe9]),
  ]) {
    expect(await contents(content, "a.txt")).toEqual([["a", "é"]]);
  }
});

test("other encodings are detected and stated", async () => {
  const german = "Die Gebühren für Überweisungen";
  const bytes = Uint8Array.from(german, (character) => character.charCodeAt(0));
  const { data, files } = await upload(bytes, "a.txt");
  expect([data[0]?.content, files]).toMatchObject([
    german,
    [{ name: "a.txt", documents: 1, encoding: "windows-1252" }],
  ]);
  expect((await upload(bytes, "a.csv")).files).toMatchObject([{ encoding: "windows-1252" }]);
  expect((await upload(buildPdf(["a"]), "a.pdf")).files[0]?.encoding).toBeUndefined();
  expect(await issues(upload(Uint8Array.of(0x81, 2, 3, 4, 0xff), "a.txt"))).toEqual([
    ["file", "The encoding of the file is not known: save it as UTF-8"],
  ]);
});

test("a page becomes Markdown", async () => {
  const html = "<title>x</title><h2>Fees</h2><ul><li>Giro<li>Depot</ul><table><tr><th>a<th>b<tr><td>1<td>2</table>";
  const content = "## Fees\n\n- Giro\n- Depot\n\n| a | b |\n| --- | --- |\n| 1 | 2 |";
  expect(await contents(html, "Fees.html")).toEqual([["Fees", content]]);
  expect(await issues(upload("<script>1</script>", "a.htm"))).toEqual([["file", "The file has no text"]]);
  await expect(upload("<b>".repeat(2_000), "a.html")).rejects.toMatchObject({ code: Code.ResourceExhausted });
});

test("JSON becomes a document, or one for each object with a text", async () => {
  expect(await contents('{"fee": 1}', "a.json")).toEqual([["a", '{"fee": 1}']]);
  expect(await contents('[{"title": "x", "content": "one"}, {"text": "two"}]', "a.json")).toEqual([
    ["x", "one"],
    ["a: 2", "two"],
  ]);
  expect(await contents('[{"text": "two"}, 1]', "a.json")).toEqual([["a", '[{"text": "two"}, 1]']]);
  expect((await issues(upload("{", "a.json"))).map(([path]) => path)).toEqual(["file"]);
});

test("several files become documents of one upload, all or none", async () => {
  const send = async (...names: string[]) => {
    const form = new FormData();
    for (const name of names) form.append("file", new File(["text"], name), name);
    const sent = new Response(form);
    const contentType = sent.headers.get("content-type") ?? "";
    return documents.uploadDocuments({ payload: new Uint8Array(await sent.arrayBuffer()), contentType }, call());
  };
  const { data, files, fileProcessingId } = await send("a.md", "faq/b.txt");
  expect(data.map((document) => [document.title, document.fileProcessingId])).toEqual([
    ["a", fileProcessingId],
    ["faq/b", fileProcessingId],
  ]);
  expect(files.map(({ name, documents }) => [name, documents])).toEqual([
    ["a.md", 1],
    ["faq/b.txt", 1],
  ]);
  expect(await issues(send("a.md", "b.exe"))).toEqual([["file", expect.stringContaining("b.exe: Expected a file")]]);
});

test("CSV becomes a Markdown table, whatever its delimiter", async () => {
  const table = "| a | b |\n| --- | --- |\n| 1, 2 | x \\| y<br>z |\n| 3 |  |";
  expect(await contents('a,b\n"1, 2","x | y\nz"\n\n3', "a.csv")).toEqual([["a", table]]);
  expect(await contents('a;b\r\n1, 2;"x | y\r\nz"\r\n3', "a.csv")).toEqual([["a", table]]);
  expect(await issues(upload('a,b\n"1', "a.csv"))).toEqual([["file", "A quote is not closed (row 2)"]]);
});

test("a PDF becomes the text of its pages", async () => {
  expect(await contents(buildPdf(["An account costs nothing.", "Cards, too."]), "Fees.PDF")).toEqual([
    ["Fees", "An account costs nothing.\n\nCards, too."],
  ]);
  expect(await issues(upload(buildPdf([""]), "a.pdf"))).toEqual([["file", expect.stringContaining("no text")]]);
  expect(await issues(upload("%PDF-1.7 no more", "a.pdf"))).toEqual([["file", "The file cannot be read as PDF"]]);
});

test("each sheet of a workbook becomes a document", async () => {
  const fees = `<row r="1"><c r="A1" t="inlineStr"><is><t>Fee</t></is></c><c r="B1" t="inlineStr"><is><t>Since</t></is></c></row>
    <row r="2"><c r="A2"><v>1.5</v></c><c r="B2" s="1"><v>45000</v></c></row>`;
  const table = "| Fee | Since |\n| --- | --- |\n| 1.5 | 2023-03-15 |";
  expect(await contents(buildXlsx({ Fees: fees, Empty: "" }), "Bank.xlsx")).toEqual([["Bank", table]]);
  expect(await contents(buildXlsx({ Fees: fees, More: fees }), "Bank.xlsx")).toEqual([
    ["Bank: Fees", table],
    ["Bank: More", table],
  ]);
  expect(await issues(upload("PK no more", "a.xlsx"))).toEqual([["file", "The file cannot be read as XLSX"]]);
});

test("a Word document becomes Markdown", async () => {
  const text = (content: string) => `<w:p><w:r><w:t>${content}</w:t></w:r></w:p>`;
  const row = (...cells: string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${text(cell)}</w:tc>`).join("")}</w:tr>`;
  const body = `${text("Fees")}<w:tbl>${row("Account", "a | b")}${row("Giro", "4.90")}</w:tbl>${text("None.")}`;
  const content = "Fees\n\n| Account | a \\| b |\n| --- | --- |\n| Giro | 4.90 |\n\nNone.";
  expect(await contents(buildDocx(body), "Fees.docx")).toEqual([["Fees", content]]);
  expect(await issues(upload("PK no more", "a.docx"))).toEqual([["file", "The file cannot be read as DOCX"]]);
});

test("characters that PostgreSQL cannot store are replaced and counted", async () => {
  const { data, replacedCharacters } = await upload("a\0b\0", "a.txt");
  expect([data[0]?.content, replacedCharacters]).toEqual(["a\ufffdb\ufffd", 2n]);
  expect(await upload("ab", "a.txt")).toMatchObject({ replacedCharacters: 0n });
});

test("every error in the form's fields is reported as an issue, and nothing is created", async () => {
  const fields = { topicId: "1", documentType: "FACTS", metadata: "[]", extra: "", fileName: "" };
  const found = await issues(upload("text", "a.md", fields));
  expect(found.map(([path]) => path).sort()).toEqual(["documentType", "extra", "fileName", "metadata", "topicId"]);
  expect(await issues(upload("text", "a.md", { metadata: "{" }))).toEqual([["metadata", "Expected a JSON object"]]);
  expect(await issues(upload("text", "a.exe"))).toEqual([["file", expect.stringContaining("Expected a file")]]);
  expect(await issues(upload(" ", "a.md"))).toEqual([["file", "The file has no text"]]);
  for (const [field, name] of [
    ["topicId", "Topic"],
    ["quickstartId", "Quickstart"],
  ] as const) {
    const refused = upload("text", "lost.md", { [field]: newId() });
    await expect(refused).rejects.toMatchObject({ code: Code.NotFound, rawMessage: `${name} not found` });
  }
  const search = { search: "lost", documentStatus: LibraryStatus.DRAFT };
  expect((await documents.listDocuments(search, call())).data).toEqual([]);
});

test("invalid or oversized forms are refused", async () => {
  const contentType = 'multipart/form-data; boundary="x"';
  const part = (name: string, body: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"${name === "file" ? '; filename="a.md"' : ""}\r\n\r\n${body}\r\n`;
  for (const [body, field] of [
    ["", ""],
    ["--y--", ""],
    [`${part("a", "b")}--x--\r\n`, "file"],
    [`${part("file", "b").repeat(101)}--x--\r\n`, "file"],
    [`${part("a", "b").repeat(200_000)}--x--\r\n`, ""],
    [`${part("n".repeat(5_000_000), "b")}--x--\r\n`, ""],
    [`${part("metadata", "b".repeat(5_000_000))}--x--\r\n`, "metadata"],
  ] as const) {
    const refused = documents.uploadDocuments({ payload: new TextEncoder().encode(body), contentType }, call());
    await expect(refused).rejects.toMatchObject({ code: Code.InvalidArgument });
    expect((await issues(refused)).map(([path]) => path)).toEqual([field]);
  }
});

test("bombs end at a limit: unpacked workbooks, PDFs with much text, and too many cells and pages", async () => {
  const zeros = (mib: number) => new Uint8Array(mib * 1024 * 1024);
  const bomb = zipSync({ "xl/workbook.xml": zeros(100) });
  const row = `<row r="1">${`<c r="A1"><v>1</v></c>`.repeat(1000)}</row>`;
  const code = Code.ResourceExhausted;
  await expect(upload(new Uint8Array(bomb), "a.xlsx")).rejects.toMatchObject({ code });
  await expect(upload(buildXlsx({ a: row.repeat(300) }), "a.xlsx")).rejects.toMatchObject({ code });
  const far = `<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`;
  await expect(upload(buildXlsx({ a: far }), "a.xlsx")).rejects.toMatchObject({ code });
  await expect(upload(buildDocx("<w:p/>".repeat(500_000)), "a.docx")).rejects.toMatchObject({ code });
  // A long run of spaces in a cell must not take longer than other text.
  await expect(upload(`a,b${" ".repeat(1_000_000)}b`, "a.csv")).resolves.toMatchObject({ data: [{ title: "a" }] });
  await expect(upload("1,".repeat(250_000), "a.csv")).rejects.toMatchObject({ code });
  await expect(upload(buildPdf(Array.from({ length: 1001 }, () => "x")), "a.pdf")).rejects.toMatchObject({ code });
  await expect(upload("x".repeat(4_000_000), "a.md")).rejects.toMatchObject({ code });
}, 60_000);
