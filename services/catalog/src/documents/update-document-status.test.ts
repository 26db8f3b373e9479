import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { DocumentStatus } from "@ems/proto/catalog/v1/document_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { documents, tenant, database, clock } = await catalogHarness();
const call = () => testCall(tenant);
const { DRAFT, REVIEW, APPROVED, ARCHIVED, ACTIVE } = DocumentStatus;

async function newDocuments(count: number, by = tenant): Promise<string[]> {
  const made = Array.from({ length: count }, () =>
    documents.createDocument({ title: "Fees", content: "None." }, testCall(by)),
  );
  return (await Promise.all(made)).map(({ document }) => document?.id ?? "");
}

const readStatus = async (id: string, by = tenant) =>
  (await documents.getDocument({ id }, testCall(by))).document?.versions[0]?.status;
const listEvents = async (id: string) =>
  (await outboxEvents(database, "catalog", { type: "document.status_changed", text: id })).map(
    ({ payload }) => JSON.parse(payload).data,
  );

test("the active version of every listed document gets the status, and no other version does", async () => {
  const [id = ""] = await newDocuments(1);
  for (let made = 0; made < 2; made++) {
    await documents.createDocumentVersion({ id, title: "Fees", content: "Some." }, call());
  }
  await documents.activateDocumentVersion({ id, versionNumber: 2 }, call());
  clock.advance(1_000);
  await documents.updateDocumentStatus({ documentIds: [id], status: APPROVED }, call());
  const { versions, document } = await documents.listDocumentVersions({ id }, call());
  expect(versions.map(({ status }) => status)).toEqual([DRAFT, APPROVED, DRAFT]);
  const now = BigInt(clock.now().getTime() / 1000);
  expect([document?.modifiedAt?.seconds, versions[1]?.modifiedAt?.seconds]).toEqual([now, now]);
});

test("every transition between statuses is allowed", async () => {
  const [id = ""] = await newDocuments(1);
  const all = [DRAFT, REVIEW, APPROVED, ARCHIVED, ACTIVE];
  for (const status of all.flatMap((from) => all.flatMap((to) => [from, to]))) {
    const answer = await documents.updateDocumentStatus({ documentIds: [id], status }, call());
    expect(answer).toMatchObject({ success: [id], failed: [] });
    expect(await readStatus(id)).toBe(status);
  }
});

test("unknown and foreign ids are listed in failed, and the other documents are updated", async () => {
  const [[first = "", second = ""], other] = [await newDocuments(2), testTenant()];
  const [foreign = ""] = await newDocuments(1, other);
  const unknown = newId();
  const documentIds = [second, unknown, first, foreign, second, first.toUpperCase()];
  const answer = await documents.updateDocumentStatus({ documentIds, status: ACTIVE }, call());
  const reason = "Document not found";
  expect(answer).toMatchObject({
    success: [second, first],
    failed: [
      { id: unknown, reason },
      { id: foreign, reason },
    ],
  });
  expect(await Promise.all([readStatus(first), readStatus(second), readStatus(foreign, other)])).toEqual([
    ACTIVE,
    ACTIVE,
    DRAFT,
  ]);
});

test("a call publishes one event, with the documents whose status changed", async () => {
  const [first = "", second = "", third = ""] = await newDocuments(3);
  await documents.updateDocumentStatus({ documentIds: [second], status: REVIEW }, call());
  const documentIds = [third, newId(), second, first];
  for (let repeated = 0; repeated < 2; repeated++) {
    const { success } = await documents.updateDocumentStatus({ documentIds, status: REVIEW }, call());
    expect(success).toEqual([third, second, first]);
  }
  expect(await listEvents(first)).toEqual([{ documentIds: [third, first], status: "REVIEW" }]);
  await documents.updateDocumentStatus({ documentIds: [newId()], status: REVIEW }, call());
});

test("concurrent calls for the same documents do not deadlock, and each event lists only its own changes", async () => {
  const ids = await newDocuments(20);
  const calls = Array.from({ length: 10 }, (_, index) =>
    documents.updateDocumentStatus({ documentIds: index % 2 ? ids : ids.toReversed(), status: ARCHIVED }, call()),
  );
  for (const { success } of await Promise.all(calls)) expect(success).toHaveLength(20);
  const events = await listEvents(ids[0] ?? "");
  expect(events).toHaveLength(1);
  expect([...events[0].documentIds].sort()).toEqual([...ids].sort());
});

test("a concurrently activated version gets the status instead of the one before it", async () => {
  const [id = ""] = await newDocuments(1);
  await documents.createDocumentVersion({ id, title: "Fees", content: "Some." }, call());
  for (let round = 0; round < 5; round++) {
    await documents.activateDocumentVersion({ id, versionNumber: 1 }, call());
    for (const versionNumber of [1, 2]) {
      await documents.updateDocumentVersion({ id, versionNumber, status: DRAFT }, call());
    }
    await Promise.all([
      documents.activateDocumentVersion({ id, versionNumber: 2 }, call()),
      documents.updateDocumentStatus({ documentIds: [id], status: ACTIVE }, call()),
    ]);
    const { versions } = await documents.listDocumentVersions({ id }, call());
    // Exactly one version has the new status: the one that was active when the status was set.
    expect(versions.map(({ status }) => status).sort()).toEqual([DRAFT, ACTIVE]);
  }
});

test("a call has 1 to 100 documents and one of the five statuses, also from services", async () => {
  const documentIds = Array.from({ length: 101 }, () => newId());
  for (const request of [
    { documentIds: [], status: ACTIVE },
    { documentIds, status: ACTIVE },
    { documentIds: ["no id"], status: ACTIVE },
    { documentIds: [newId()], status: DocumentStatus.UNSPECIFIED },
    { documentIds: [newId()] },
  ]) {
    await expect(documents.updateDocumentStatus(request, call())).rejects.toMatchObject({ code: Code.InvalidArgument });
  }
  const { failed } = await documents.updateDocumentStatus(
    { documentIds: documentIds.slice(1), status: ACTIVE },
    call(),
  );
  expect(failed).toHaveLength(100);
});
