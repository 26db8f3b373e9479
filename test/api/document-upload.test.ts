import { newId } from "@ems/kit/id";
import { buildPdf, buildUpload, buildXlsx } from "@ems/test-support/upload-files";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();

async function upload(file: File, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const { payload, contentType } = await buildUpload(file, fields);
  return api.send("POST", "/v0/documents/upload", {
    raw: payload,
    headers: { "content-type": contentType, ...headers },
  });
}
const getPaths = (body: { issues: { path: string[] }[] }) => body.issues.map(({ path }) => path.join(".")).sort();

test("POST /v0/documents/upload makes documents in DRAFT of Markdown, CSV, PDF and XLSX", async () => {
  const cell = `<row r="1"><c r="A1" t="inlineStr"><is><t>Free</t></is></c></row>`;
  for (const [content, name, title, text] of [
    ["# Fees\n\nNone.", "Fees.md", "Fees", "# Fees\n\nNone."],
    ["a,b\n1,2", "Rates.csv", "Rates", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
    [buildPdf(["An account costs nothing."]), "Terms.pdf", "Terms", "An account costs nothing."],
    [buildXlsx({ One: cell }), "Cards.xlsx", "Cards", "| Free |\n| --- |"],
  ] as const) {
    const { status, body } = await upload(new File([content], name), { metadata: '{"step": "parsed"}' });
    expect([name, status, body.message]).toEqual([name, 201, undefined]);
    const { fileProcessingId, data } = body;
    expect(data).toMatchObject([{ title, content: text, status: "DRAFT", type: "KNOWLEDGE", fileProcessingId }]);
    expect(data[0].versions).toMatchObject([{ status: "DRAFT", metadata: { step: "parsed" }, versionNumber: 1 }]);
    const list = await api.get(`/v0/documents?documentStatus=DRAFT&fileProcessingId=${fileProcessingId}`);
    expect(list.body.data).toEqual(data);
    expect((await api.get(`/v0/documents?fileProcessingId=${fileProcessingId}`)).body.data).toEqual([]);
    const activated = await api.send("PUT", `/v0/documents/${data[0].id}/versions/1/activate`);
    expect(activated.body.document).toMatchObject({ id: data[0].id, status: "ACTIVE" });
  }
});

test("the reference has the form", async () => {
  const { paths } = (await api.get("/openapi.json")).body;
  const { schema } = paths["/v0/documents/upload"].post.requestBody.content["multipart/form-data"];
  expect(schema.required).toEqual(["file"]);
  const fields = ["documentType", "file", "fileName", "metadata", "quickstartId", "topicId"];
  expect(Object.keys(schema.properties).sort()).toEqual(fields);
});

test("a repeat under an idempotency key makes no second document", async () => {
  const { payload, contentType } = await buildUpload(new File(["once"], "once.txt"));
  const headers = { "content-type": contentType, "idempotency-key": newId() };
  const send = () => api.send("POST", "/v0/documents/upload", { raw: payload, headers });
  const [first, repeat] = [await send(), await send()];
  expect([repeat.status, repeat.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
  expect(repeat.body).toEqual(first.body);
});

test("every fault of the form is reported at its field", async () => {
  const invalid = { documentType: "FACTS", topicId: "1", quickstartId: "2", metadata: "[]", more: "x" };
  const { status, body } = await upload(new File(["text"], "a.md"), invalid);
  expect([status, getPaths(body)]).toEqual([400, ["documentType", "metadata", "more", "quickstartId", "topicId"]]);
  for (const [content, name] of [
    ["text", "a.exe"],
    ["", "a.md"],
    ["%PDF-1.7 no more", "a.pdf"],
  ] as const) {
    const refused = await upload(new File([content], name));
    expect([name, refused.status, getPaths(refused.body)]).toEqual([name, 400, ["file"]]);
  }
  const json = await api.post("/v0/documents/upload", { file: "x" });
  expect(json.status).toBe(415);
  const none = { raw: "--y--", headers: { "content-type": "multipart/form-data; boundary=x" } };
  expect((await api.send("POST", "/v0/documents/upload", none)).status).toBe(400);
});

test("a topic and a quickstart are the application's", async () => {
  const other = await newTenant();
  const topicId = (await other.api.post("/v0/topics", { title: "theirs" })).body.data.id;
  const quickstartId = (await other.api.post("/v0/quickstarts", { title: "theirs" })).body.data.id;
  for (const [fields, message] of [
    [{ topicId }, "Topic not found"],
    [{ quickstartId }, "Quickstart not found"],
  ] as const) {
    const { status, body } = await upload(new File(["text"], "a.md"), fields);
    expect({ status, body }).toEqual({ status: 404, body: { message } });
  }
  const own = (await api.post("/v0/quickstarts", { title: "ours" })).body.data.id;
  const { body } = await upload(new File(["text"], "a.md"), { quickstartId: own });
  expect((await api.get(`/v0/documents?quickstartId=${own}`)).body.data).toEqual(body.data);
});

test("a file of 16 MiB is 413, and so is one of too much text", async () => {
  expect((await upload(new File(["x".repeat(16 * 1024 * 1024)], "a.md"))).status).toBe(413);
  const { status, body } = await upload(new File(["x".repeat(4_000_000)], "a.md"));
  expect([status, body.message]).toEqual([413, "The file has more than 3 MiB of text"]);
});
