import { create } from "@bufbuild/protobuf";
import { ListValueSchema, NullValue, ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { DocumentStatus } from "@ems/proto/catalog/v1/document_service";
import { outboxEvents, testCall } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { documents, tenant, database, clock } = await catalogHarness();
const call = () => testCall(tenant);
const text = { title: "Fees", content: "An account costs nothing." };

async function newDocument(request: Parameters<typeof documents.createDocument>[0] = text): Promise<string> {
  const { document } = await documents.createDocument(request, call());
  return document?.id ?? "";
}

const active = async (id: string) => {
  const { document } = await documents.getDocument({ id }, call());
  return document?.versions.find(({ versionNumber }) => versionNumber === document.activeVersionNumber);
};
const numbers = async (id: string) =>
  (await documents.listDocumentVersions({ id }, call())).versions.map(({ versionNumber }) => versionNumber);
const listEvents = async (id: string) =>
  (await outboxEvents(database, "catalog", { type: "document.status_changed", text: id })).map(
    ({ payload }) => JSON.parse(payload).data,
  );
const strings = (...values: string[]) =>
  create(ListValueSchema, { values: values.map((value) => ({ kind: { case: "stringValue" as const, value } })) });

test("versions are listed by descending versionNumber, with their document", async () => {
  const id = await newDocument({ ...text, assignee: "ada" });
  clock.advance(1_000);
  for (const title of ["Fees 2", "Fees 3"]) await documents.createDocumentVersion({ id, ...text, title }, call());
  const { document, versions } = await documents.listDocumentVersions({ id }, call());
  expect(document).toMatchObject({ id, orgId: tenant.orgId, assignee: "ada" });
  expect(document?.modifiedAt?.seconds).toBe(BigInt(clock.now().getTime() / 1000));
  expect(versions.map(({ versionNumber, title, documentId }) => [versionNumber, title, documentId])).toEqual([
    [3, "Fees 3", id],
    [2, "Fees 2", id],
    [1, "Fees", id],
  ]);
});

test("a new version is inactive until activated, and has the active version's language", async () => {
  const id = await newDocument({ ...text, language: "de" });
  const { version } = await documents.createDocumentVersion({ id, ...text, metadata: { a: 1 } }, call());
  expect(version).toMatchObject({
    versionNumber: 2,
    status: DocumentStatus.DRAFT,
    language: "de",
    metadata: { a: 1 },
    documentId: id,
  });
  expect((await active(id))?.versionNumber).toBe(1);
  const { document, newActiveVersion } = await documents.activateDocumentVersion({ id, versionNumber: 2 }, call());
  expect(newActiveVersion).toEqual(version);
  expect(document).toEqual((await documents.getDocument({ id }, call())).document);
  expect(document).toMatchObject({ title: version?.title, content: version?.content, activeVersionNumber: 2 });
  expect(await active(id)).toEqual(version);
});

test("a version without content is a DRAFT copy of the active one, and is read by its number", async () => {
  const whole = {
    ...text,
    metadata: { a: 1 },
    originalSentences: ["one"],
    language: "de",
    status: DocumentStatus.APPROVED,
  };
  const id = await newDocument(whole);
  await documents.createDocumentVersion({ id, title: "newer", content: "newer" }, call());
  clock.advance(1_000);
  const { document, version } = await documents.createDocumentVersion({ id }, call());
  expect(version).toMatchObject({ ...whole, status: DocumentStatus.DRAFT, versionNumber: 3 });
  expect(document?.modifiedAt).toEqual(version?.modifiedAt);
  const { version: emptied } = await documents.createDocumentVersion({ id, originalSentences: strings() }, call());
  expect(emptied?.originalSentences).toEqual([]);
  expect(await documents.getDocumentVersion({ id, versionNumber: 3 }, call())).toMatchObject({ version });
});

test("concurrent versions have different numbers", async () => {
  const id = await newDocument();
  const made = await Promise.all(
    Array.from({ length: 12 }, () => documents.createDocumentVersion({ id, ...text }, call())),
  );
  const sorted = made.map(({ version }) => version?.versionNumber ?? 0).sort((a, b) => a - b);
  expect(sorted).toEqual(Array.from({ length: 12 }, (_, index) => index + 2));
  expect(await numbers(id)).toEqual(Array.from({ length: 13 }, (_, index) => 13 - index));
});

test("activating is idempotent; concurrent activations leave one active version", async () => {
  const id = await newDocument();
  for (let made = 0; made < 3; made++) await documents.createDocumentVersion({ id, ...text }, call());
  const { document: first } = await documents.activateDocumentVersion({ id, versionNumber: 2 }, call());
  clock.advance(1_000);
  expect((await documents.activateDocumentVersion({ id, versionNumber: 2 }, call())).document).toEqual(first);
  await Promise.all(
    [1, 2, 3, 4].map((versionNumber) => documents.activateDocumentVersion({ id, versionNumber }, call())),
  );
  expect([1, 2, 3, 4]).toContain((await active(id))?.versionNumber);
});

test("the database refuses a document without an active version", async () => {
  const id = await newDocument();
  const change = database.sql("UPDATE catalog.document SET active_version = 9 WHERE id = $1", [id]);
  await expect(change).rejects.toThrow("document_active_version_fkey");
});

test("an active version may have any status", async () => {
  const id = await newDocument({ ...text, status: DocumentStatus.ARCHIVED });
  await documents.createDocumentVersion({ id, ...text, status: DocumentStatus.ACTIVE }, call());
  expect(await active(id)).toMatchObject({ versionNumber: 1, status: DocumentStatus.ARCHIVED });
});

test("an update of a version changes only the requested fields", async () => {
  const id = await newDocument({ ...text, metadata: { a: 1 }, originalSentences: ["one"], language: "de" });
  const at = { id, versionNumber: 1 };
  const before = await active(id);
  expect((await documents.updateDocumentVersion(at, call())).version).toEqual(before);
  clock.advance(1_000);
  const changes = [
    { title: "Charges" },
    { content: "Nothing." },
    { language: "fr" },
    { status: DocumentStatus.REVIEW },
    { originalSentences: strings("two", "three") },
  ];
  for (const change of changes) await documents.updateDocumentVersion({ ...at, ...change }, call());
  const after = await active(id);
  expect(after).toMatchObject({
    title: "Charges",
    content: "Nothing.",
    language: "fr",
    status: DocumentStatus.REVIEW,
    metadata: { a: 1 },
    originalSentences: ["two", "three"],
    versionNumber: 1,
    id: before?.id,
    createdAt: before?.createdAt,
  });
  expect(after?.modifiedAt?.seconds).toBe((before?.modifiedAt?.seconds ?? 0n) + 1n);
});

test("null clears the metadata, an empty list removes the sentences", async () => {
  const id = await newDocument({ ...text, metadata: { a: 1 }, originalSentences: ["one"] });
  const metadata = create(ValueSchema, { kind: { case: "nullValue", value: NullValue.NULL_VALUE } });
  const change = { id, versionNumber: 1, metadata, originalSentences: strings() };
  await documents.updateDocumentVersion(change, call());
  expect((await active(id))?.metadata).toEqual({});
  expect((await active(id))?.originalSentences).toEqual([]);
});

test("metadata is an object or null, sentences are strings", async () => {
  const id = await newDocument();
  for (const change of [
    { metadata: create(ValueSchema, { kind: { case: "stringValue", value: "a" } }) },
    { originalSentences: create(ListValueSchema, { values: [{ kind: { case: "boolValue", value: true } }] }) },
  ]) {
    await expect(documents.updateDocumentVersion({ id, versionNumber: 1, ...change }, call())).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  }
});

test("a version of another document is not found", async () => {
  const id = await newDocument();
  for (const versionNumber of [2, 2 ** 31 - 1]) {
    const at = { id, versionNumber };
    const { updateDocumentVersion, activateDocumentVersion, getDocumentVersion } = documents;
    for (const request of [updateDocumentVersion, activateDocumentVersion, getDocumentVersion]) {
      await expect(request(at, call())).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Version not found" });
    }
  }
});

test("a status change of the active version publishes an event; other versions' changes do not", async () => {
  const id = await newDocument();
  await documents.createDocumentVersion({ id, ...text }, call());
  await documents.updateDocumentVersion({ id, versionNumber: 2, status: DocumentStatus.APPROVED }, call());
  await documents.updateDocumentVersion({ id, versionNumber: 1, title: "Charges" }, call());
  await documents.updateDocumentVersion({ id, versionNumber: 1, status: DocumentStatus.DRAFT }, call());
  expect(await listEvents(id)).toEqual([]);
  await documents.updateDocumentVersion({ id, versionNumber: 1, status: DocumentStatus.REVIEW }, call());
  expect(await listEvents(id)).toEqual([{ documentIds: [id], status: "REVIEW" }]);
  await documents.activateDocumentVersion({ id, versionNumber: 2 }, call());
  await documents.activateDocumentVersion({ id, versionNumber: 2 }, call());
  expect((await listEvents(id)).slice(1)).toEqual([{ documentIds: [id], status: "APPROVED" }]);
});

test("a version that makes a document exceed the response limit is refused and not stored", async () => {
  const content = "x".repeat(1024 * 1024 - 1000);
  const id = await newDocument({ ...text, content });
  for (let made = 0; made < 2; made++) await documents.createDocumentVersion({ id, ...text, content }, call());
  const refusal = { code: Code.ResourceExhausted, rawMessage: expect.stringContaining("3 MiB") };
  const fourth = documents.createDocumentVersion({ id, ...text, content: "x".repeat(4000) }, call());
  await expect(fourth).rejects.toMatchObject(refusal);
  const longer = { id, versionNumber: 2, content: `${content}${"x".repeat(4000)}` };
  await expect(documents.updateDocumentVersion(longer, call())).rejects.toMatchObject(refusal);
  expect(await numbers(id)).toEqual([3, 2, 1]);
  await documents.updateDocumentVersion({ id, versionNumber: 2, content: "short" }, call());
  await documents.createDocumentVersion({ id, ...text, content: "x".repeat(4000) }, call());
  expect(await numbers(id)).toEqual([4, 3, 2, 1]);
});
