import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { DocumentStatus, DocumentType, LibraryStatus } from "@ems/proto/catalog/v1/document_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { documents, topics, tenant, database, clock } = await catalogHarness();
const call = () => testCall(tenant);
const text = { title: "Fees", content: "An account costs nothing." };

async function created(request: Parameters<typeof documents.createDocument>[0] = text) {
  const { document } = await documents.createDocument(request, call());
  if (document === undefined) throw new Error("no document was created");
  return document;
}

const notFound = (what: string) => ({ code: Code.NotFound, rawMessage: `${what} not found` });

test("a document is KNOWLEDGE of the caller with active version 1, a DRAFT in English", async () => {
  const document = await created();
  const common = { orgId: tenant.orgId, applicationId: tenant.applicationId, type: DocumentType.KNOWLEDGE };
  expect(document).toMatchObject({
    ...common,
    ...text,
    status: LibraryStatus.ACTIVE,
    isVerified: false,
    optimized: false,
    assignee: tenant.userId,
    activeVersionNumber: 1,
    tags: [],
    versions: [
      {
        ...common,
        ...text,
        documentId: document.id,
        versionNumber: 1,
        status: DocumentStatus.DRAFT,
        language: "en",
        metadata: {},
        originalSentences: [],
      },
    ],
  });
  for (const field of ["topicId", "scrapeJobId", "fileProcessingId"] as const) expect(document[field]).toBeUndefined();
  expect(document.createdAt?.seconds).toBe(BigInt(clock.now().getTime() / 1000));
});

test("all fields of a document are stored and returned", async () => {
  const { data: topic } = await topics.createTopic({ title: "Fees" }, call());
  const request = {
    status: DocumentStatus.REVIEW,
    language: "pt-BR",
    metadata: { source: { url: "https://example.com" }, pages: [1, 2], nothing: null },
    originalSentences: ['One, "two"', "{three}", "", "NULL"],
    topicId: topic?.id ?? "",
    assignee: "ada",
    scrapeJobId: "job",
    type: DocumentType.POLICY,
  };
  const document = await created({ ...text, ...request });
  const { topicId, assignee, scrapeJobId, type, ...ofVersion } = request;
  expect(document).toMatchObject({ topicId, assignee, scrapeJobId, type, versions: [{ ...ofVersion, type }] });
  expect((await documents.getDocument({ id: document.id }, call())).document).toEqual(document);
});

test("a document can be linked to a topic of its application only", async () => {
  const { data: foreign } = await topics.createTopic({ title: "theirs" }, testCall(testTenant()));
  for (const topicId of [foreign?.id ?? "", newId()]) {
    await expect(created({ ...text, title: "lost", topicId })).rejects.toMatchObject(notFound("Topic"));
  }
  expect(await database.sql("SELECT FROM catalog.document_version WHERE title = 'lost'")).toEqual([]);
});

test("the live documentCount of a topic is the number of its documents", async () => {
  const { data: topic } = await topics.createTopic({ title: "Counted" }, call());
  const topicId = topic?.id ?? "";
  const count = async () => (await topics.getTopic({ id: topicId }, call())).data?.documentCount;
  expect(topic?.documentCount).toBe(0n);
  const first = await created({ ...text, topicId });
  await created({ ...text, topicId, status: DocumentStatus.ARCHIVED });
  await created();
  expect(await count()).toBe(2n);
  expect((await topics.listTopics({ title: "Counted" }, call())).data[0]?.documentCount).toBe(2n);
  await documents.deleteDocument({ id: first.id }, call());
  expect(await count()).toBe(1n);
  await topics.archiveTopic({ id: topicId }, call());
  const [event] = await outboxEvents(database, "catalog", { type: "topic.archived", text: topicId });
  expect(JSON.parse(event?.payload ?? "")).toMatchObject({ data: { documentCount: 1 } });
});

test("deleting a document deletes only its own versions", async () => {
  const [gone, stays] = [await created(), await created()];
  await documents.createDocumentVersion({ id: gone.id, ...text }, call());
  await expect(documents.deleteDocument({ id: gone.id }, testCall(testTenant()))).rejects.toMatchObject(
    notFound("Document"),
  );
  await documents.deleteDocument({ id: gone.id }, call());
  for (const operation of [documents.deleteDocument, documents.getDocument, documents.listDocumentVersions]) {
    await expect(operation({ id: gone.id }, call())).rejects.toMatchObject(notFound("Document"));
  }
  const versions = await database.sql("SELECT FROM catalog.document_version WHERE document_id = $1", [gone.id]);
  expect(versions).toEqual([]);
  expect((await documents.getDocument({ id: stays.id }, call())).document).toEqual(stays);
});

test("another tenant's document is not found by any RPC, and does not change", async () => {
  const { id } = await created();
  const before = await documents.listDocumentVersions({ id }, call());
  for (const [requestedId, by] of [
    [id, testTenant()],
    [newId(), tenant],
  ] as const) {
    const at = { id: requestedId, versionNumber: 1 };
    for (const request of [
      () => documents.getDocument(at, testCall(by)),
      () => documents.deleteDocument(at, testCall(by)),
      () => documents.listDocumentVersions(at, testCall(by)),
      () => documents.createDocumentVersion({ ...at, ...text }, testCall(by)),
      () => documents.updateDocumentVersion({ ...at, title: "changed" }, testCall(by)),
      () => documents.activateDocumentVersion(at, testCall(by)),
      () => documents.getDocumentVersion(at, testCall(by)),
      () => documents.listDocumentTags(at, testCall(by)),
      () => documents.setDocumentTags({ ...at, tagIds: [] }, testCall(by)),
    ]) {
      await expect(request()).rejects.toMatchObject(notFound("Document"));
    }
  }
  expect(await documents.listDocumentVersions({ id }, call())).toEqual(before);
});

test("a document from before assignees were required returns the caller's user", async () => {
  const { id } = await created();
  await database.sql("UPDATE catalog.document SET assignee = NULL WHERE id = $1", [id]);
  expect((await documents.getDocument({ id }, call())).document?.assignee).toBe(tenant.userId);
});

test("a DRAFT document becomes ACTIVE when one of its versions is activated", async () => {
  const { id, status } = await created({ ...text, documentStatus: LibraryStatus.DRAFT });
  expect(status).toBe(LibraryStatus.DRAFT);
  const { document } = await documents.activateDocumentVersion({ id, versionNumber: 1 }, call());
  expect(document?.status).toBe(LibraryStatus.ACTIVE);
});
