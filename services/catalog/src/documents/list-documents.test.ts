import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { DocumentOrder, DocumentStatus, DocumentType, LibraryStatus } from "@ems/proto/catalog/v1/document_service";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const harness = await catalogHarness();
const { documents, topics, tenant, clock } = harness;
const call = () => testCall(tenant);
const { REVIEW, APPROVED } = DocumentStatus;
const all = [DocumentStatus.DRAFT, REVIEW, APPROVED, DocumentStatus.ARCHIVED, DocumentStatus.ACTIVE];
type Request = Parameters<typeof documents.listDocuments>[0];
const titles = ({ data }: { data: { title: string }[] }) => data.map(({ title }) => title);
const list = (request: Request = {}) => documents.listDocuments({ status: all, ...request }, call());
let topicId = "";

beforeAll(async () => {
  topicId = (await topics.createTopic({ title: "Fees" }, call())).data?.id ?? "";
  for (const request of [
    { title: "b 50%", content: "Accounts", status: REVIEW },
    { title: "a", content: "Cards of 50_x", assignee: "ada" },
    { title: "C", content: "Loans", topicId, status: APPROVED },
  ]) {
    const { document } = await documents.createDocument(request, call());
    // This version is never active, so the search must not find its content.
    await documents.createDocumentVersion(
      { id: document?.id ?? "", title: "hidden", content: "hidden", status: DocumentStatus.ACTIVE },
      call(),
    );
    clock.advance(1_000);
  }
});

test("lists the newest first, 25 a page, each with its active version", async () => {
  const answer = await list();
  expect(titles(answer)).toEqual(["C", "a", "b 50%"]);
  expect(answer.pagination).toMatchObject({ skip: 0n, limit: 25, total: 3n, totalPages: 1n, totalCount: 3n });
  const [first] = answer.data;
  expect(first).toMatchObject({ topicId, orgId: tenant.orgId, content: "Loans", activeVersionNumber: 1 });
  const { document } = await documents.getDocument({ id: first?.id ?? "" }, call());
  const active = document?.versions.filter(({ versionNumber }) => versionNumber === 1);
  expect(first).toEqual({ ...document, versions: active });
});

test("search finds text in title and content of the active version, without wildcards", async () => {
  for (const [search, found] of [
    ["c", ["C", "a", "b 50%"]],
    ["CARDS", ["a"]],
    ["50", ["a", "b 50%"]],
    ["%", ["b 50%"]],
    ["_", ["a"]],
    ["\\", []],
    ["hidden", []],
  ] as const) {
    expect([search, titles(await list({ search }))]).toEqual([search, found]);
  }
});

test("filters on the active version's status, assignee and topic are combined", async () => {
  expect(titles(await list({ status: [REVIEW, APPROVED] }))).toEqual(["C", "b 50%"]);
  expect(titles(await list({ status: [DocumentStatus.ACTIVE] }))).toEqual([]);
  expect(titles(await list({ assignee: "ada" }))).toEqual(["a"]);
  expect(titles(await list({ topicId }))).toEqual(["C"]);
  expect(titles(await list({ topicId, status: [APPROVED], search: "loan" }))).toEqual(["C"]);
  const none = await list({ topicId, assignee: "ada" });
  expect(none).toMatchObject({ data: [], pagination: { total: 0n } });
});

test("every sort order ends with the id, so that pages neither overlap nor skip rows", async () => {
  expect(titles(await list({ orderBy: DocumentOrder.TITLE, orderDir: OrderDirection.ASC }))).toHaveLength(3);
  expect(titles(await list({ orderBy: DocumentOrder.STATUS, orderDir: OrderDirection.ASC }))).toEqual([
    "C",
    "a",
    "b 50%",
  ]);
  for (const orderBy of [
    DocumentOrder.CREATED_AT,
    DocumentOrder.MODIFIED_AT,
    DocumentOrder.TITLE,
    DocumentOrder.STATUS,
    DocumentOrder.TYPE,
    DocumentOrder.ASSIGNEE,
    DocumentOrder.ID,
  ]) {
    for (const orderDir of [OrderDirection.ASC, OrderDirection.DESC]) {
      const whole = await list({ orderBy, orderDir });
      const pages = await Promise.all([0n, 1n, 2n].map((skip) => list({ orderBy, orderDir, skip, limit: 1 })));
      expect(pages.flatMap(titles)).toEqual(titles(whole));
    }
  }
});

test("a page past the end is empty and has the total", async () => {
  const answer = await list({ skip: 9007199254740991n, limit: 2 });
  expect(answer).toMatchObject({ data: [], pagination: { total: 3n, totalPages: 2n } });
});

test("without filters: visible documents of type KNOWLEDGE with an approved active version", async () => {
  const by = testCall(testTenant());
  const quickstartId = newId();
  await harness.client(ReferenceService).registerQuickstart({ id: quickstartId }, by);
  const DRAFT = LibraryStatus.DRAFT;
  for (const [title, request] of Object.entries({
    approved: { status: APPROVED },
    review: { status: REVIEW },
    policy: { status: APPROVED, type: DocumentType.POLICY },
    hidden: { status: APPROVED, documentStatus: DRAFT },
    prepared: { documentStatus: DRAFT, quickstartId },
  })) {
    await documents.createDocument({ title, content: "x", ...request }, by);
  }
  for (const [request, found] of [
    [{}, ["approved"]],
    [{ search: "x" }, ["approved"]],
    [{ status: [REVIEW] }, ["review"]],
    [{ type: DocumentType.POLICY }, ["policy"]],
    [{ documentStatus: DRAFT }, ["hidden", "prepared"]],
    [{ documentStatus: DRAFT, status: [APPROVED] }, ["hidden"]],
    [{ documentStatus: LibraryStatus.ACTIVE }, ["approved", "review"]],
    [{ quickstartId }, ["prepared"]],
    [{ quickstartId, documentStatus: LibraryStatus.ACTIVE }, []],
  ] as const) {
    const sent = { ...request, status: "status" in request ? [...request.status] : [] };
    expect([request, titles(await documents.listDocuments(sent, by)).sort()]).toEqual([request, found]);
  }
});

test("documents are filtered by time, crawler job, step in the metadata, and tag", async () => {
  const own = testTenant();
  const by = testCall(own);
  const { data: tag } = await harness.tags.createTag({ name: "t" }, by);
  const { data: unused } = await harness.tags.createTag({ name: "u" }, by);
  for (const [title, request] of Object.entries({
    first: { scrapeJobId: "one", metadata: { step: "parsed" } },
    second: { scrapeJobId: "two", metadata: { step: 1 } },
  })) {
    clock.advance(1_000);
    const { document } = await documents.createDocument({ title, content: "x", status: APPROVED, ...request }, by);
    if (title === "second") {
      await documents.setDocumentTags({ id: document?.id ?? "", tagIds: [tag?.id ?? ""] }, by);
    }
  }
  const now = timestampFromDate(clock.now());
  const before = timestampFromDate(new Date(clock.now().getTime() - 1));
  for (const [request, found] of [
    [{ startDate: now }, ["second"]],
    [{ endDate: now }, ["second", "first"]],
    [{ endDate: before }, ["first"]],
    [{ scrapeJobId: ["one", "three"] }, ["first"]],
    [{ metadataStep: "parsed" }, ["first"]],
    [{ metadataStep: "1" }, ["second"]],
    [{ tagId: [tag?.id ?? "", unused?.id ?? ""] }, ["second"]],
    [{ tagId: [unused?.id ?? ""] }, []],
    [{ fileProcessingId: [newId()] }, []],
  ] as [Request, string[]][]) {
    expect(titles(await documents.listDocuments(request, by))).toEqual(found);
  }
  const [tagged] = (await documents.listDocuments({}, by)).data;
  expect(tagged?.tags).toMatchObject([{ id: tag?.id, name: "t", color: tag?.color }]);
});

test("another tenant's list is empty", async () => {
  const answer = await documents.listDocuments({}, testCall(testTenant()));
  expect(answer).toMatchObject({ data: [], pagination: { total: 0n, totalPages: 0n } });
});

test("a page that exceeds the response limit is reported as an issue of limit, and fewer documents fit", async () => {
  const by = testCall(testTenant());
  const content = "x".repeat(1024 * 1024 - 1000);
  for (const title of ["1", "2", "3", "4"]) await documents.createDocument({ title, content, status: APPROVED }, by);
  await expect(documents.listDocuments({}, by)).rejects.toMatchObject({ code: Code.ResourceExhausted });
  await expect(documents.listDocuments({ limit: 4 }, by)).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect((await documents.listDocuments({ limit: 3 }, by)).data).toHaveLength(3);
  expect((await documents.listDocuments({ skip: 3n }, by)).data).toHaveLength(1);
});
