import { newId } from "@ems/kit/id";
import { DocumentStatus } from "@ems/proto/catalog/v1/document_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { documents, database } = await catalogHarness();
const text = (name: string, sections: number) =>
  Array.from({ length: sections }, (_, index) => `# ${name} ${index}\n\nText.`).join("\n\n");

async function library() {
  const call = testCall(testTenant());
  const made = [];
  for (const [title, sections, status] of [
    ["a", 3, DocumentStatus.APPROVED],
    ["b", 5, DocumentStatus.DRAFT],
    ["c", 1, DocumentStatus.APPROVED],
  ] as const) {
    const { document } = await documents.createDocument({ title, content: text(title, sections), status }, call);
    made.push({ id: document?.id ?? "", versionId: document?.versions[0]?.id ?? "" });
  }
  const list = (request: Parameters<typeof documents.listDocumentChunks>[0]) =>
    documents.listDocumentChunks(request, call);
  return { call, list, made };
}
const listNames = ({ data }: { data: { title: string }[] }) => data.map(({ title }) => title);

test("the chunks of active versions are paged across documents, each with its position", async () => {
  const { list, made } = await library();
  const whole = await list({});
  expect(listNames(whole)).toEqual(["a 0", "a 1", "a 2", "b 0", "b 1", "b 2", "b 3", "b 4", "c 0"]);
  expect(whole.pagination).toMatchObject({ skip: 0n, limit: 25, total: 9n, totalPages: 1n });
  expect(whole.data[1]).toMatchObject({
    chunkIndex: 1,
    content: "# a 1\n\nText.",
    documentId: made[0]?.id,
    documentName: "a",
    title: "a 1",
    versionId: made[0]?.versionId,
  });
  const pages = await Promise.all([0n, 2n, 4n, 6n, 8n].map((skip) => list({ skip, limit: 2 })));
  expect(pages.flatMap(({ data }) => data)).toEqual(whole.data);
  const past = await list({ skip: 9007199254740991n });
  expect(past).toMatchObject({ data: [], pagination: { total: 9n } });
});

test("chunks are filtered by document, version and status", async () => {
  const { call, list, made } = await library();
  const id = made[2]?.id ?? "";
  const { version } = await documents.createDocumentVersion({ id, content: text("d", 2) }, call);
  expect(listNames(await list({ documentId: id }))).toEqual(["c 0"]);
  expect(listNames(await list({ versionId: version?.id ?? "" }))).toEqual(["d 0", "d 1"]);
  expect(listNames(await list({ versionId: version?.id ?? "", status: [DocumentStatus.APPROVED] }))).toEqual([]);
  expect(listNames(await list({ status: [DocumentStatus.DRAFT] }))).toHaveLength(5);
  await documents.updateDocumentVersion({ id, versionNumber: 1, content: text("e", 4) }, call);
  expect(listNames(await list({ documentId: id }))).toEqual(["e 0", "e 1", "e 2", "e 3"]);
  for (const request of [{ documentId: newId() }, { versionId: newId() }, { documentId: id, versionId: newId() }]) {
    expect(await list(request)).toMatchObject({ data: [], pagination: { total: 0n } });
  }
  const foreign = await documents.listDocumentChunks({ documentId: id }, testCall(testTenant()));
  expect(foreign.data).toEqual([]);
});

test("every version stores its number of chunks", async () => {
  const { made } = await library();
  const ids = made.map(({ versionId }) => versionId);
  const rows = await database.sql<{ chunk_count: number }>(
    "SELECT chunk_count FROM catalog.document_version WHERE id = ANY ($1) ORDER BY id",
    [ids],
  );
  expect(rows.map((row) => row.chunk_count)).toEqual([3, 5, 1]);
});
