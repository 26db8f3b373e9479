import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { DocumentStatus } from "@ems/proto/catalog/v1/document_service";
import { DocumentTestStatus, DocumentTestType } from "@ems/proto/experiments/v1/document_test";
import {
  type DocumentAnswer,
  type DocumentFinding,
  DocumentTestExecutionService,
} from "@ems/proto/experiments/v1/document_test_execution_service";
import { DocumentTestOrder, DocumentTestService } from "@ems/proto/experiments/v1/document_test_service";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { beforeEach, expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { clock, database, library } = harness;
const tests = harness.client(DocumentTestService);
const execution = harness.client(DocumentTestExecutionService);
const work = harness.client(ExecutionService);
const quickstarts = harness.client(QuickstartService);

const { KNOWLEDGE_COVERAGE, MECE, DOCS_TO_TASKS_MAPPING } = DocumentTestType;
const [fees, hours] = [newId(), newId()];
const chunk = (documentId: string, documentName: string, content: string) => ({
  documentId,
  documentName,
  title: documentName,
  content,
  versionId: newId(),
  chunkIndex: 0,
});
const task = { id: newId(), title: "Fees", description: "What a card costs", inputExamples: ["Is it free?"] };

beforeEach(() => {
  library.chunks = [chunk(fees, "Fees", "A card costs 5 euros."), chunk(hours, "Hours", "A card costs nothing.")];
  library.tasks = [task];
});

/** Returns helpers for one tenant. */
function inTenant(tenant = testTenant()) {
  const call = () => testCall(tenant);
  const start = async (type: DocumentTestType, more = {}) =>
    (await execution.startDocumentTest({ type, ...more }, call())).data?.id ?? "";
  const plan = async (id: string) => (await execution.planDocumentTest({ id }, call())).questionIds;
  const read = async (id: string) => (await tests.getDocumentTest({ id }, call())).data;
  const getQuestions = async (ids: string[]) => (await execution.getDocumentQuestions({ ids }, call())).questions;
  const record = (...answers: { id: string; outcome: DocumentAnswer["outcome"] }[]) =>
    execution.recordDocumentAnswers({ answers }, call());
  const found = (id: string, more: Partial<DocumentFinding> = {}) => ({
    id,
    outcome: {
      case: "finding" as const,
      value: { score: 1, reasoning: "why", matches: [], contradictions: [], ...more } as unknown as DocumentFinding,
    },
  });
  const failed = (id: string, value = "model_refused: no") => ({ id, outcome: { case: "failure" as const, value } });
  const completed = async (id: string) =>
    (await outboxEvents(database, "experiments", { type: "document_test.completed", text: id })).map(
      ({ payload }) => JSON.parse(payload).data,
    );
  return { tenant, call, start, plan, read, getQuestions, record, found, failed, completed };
}

test("a coverage test runs from its start through its questions to its end", async () => {
  const of = inTenant();
  const id = await of.start(KNOWLEDGE_COVERAGE);
  expect(await of.read(id)).toMatchObject({
    id,
    orgId: of.tenant.orgId,
    applicationId: of.tenant.applicationId,
    type: KNOWLEDGE_COVERAGE,
    status: DocumentTestStatus.PENDING,
    progress: { completed: 0n, total: 0n },
  });
  const [question = "", ...rest] = await of.plan(id);
  expect(rest).toEqual([]);
  expect(library.readBy.at(-1)).toEqual([DocumentStatus.APPROVED, DocumentStatus.ACTIVE]);
  // Questions are planned only once, from the content at that time, so this change has no effect.
  library.tasks = [];
  expect(await of.plan(id)).toEqual([question]);
  expect(await of.getQuestions([question, newId()])).toMatchObject([
    {
      id: question,
      type: KNOWLEDGE_COVERAGE,
      subject: { title: "Fees", text: "What a card costs\nIs it free?" },
      candidates: [{ title: "Fees", text: "A card costs 5 euros." }, { title: "Hours" }],
    },
  ]);
  await of.record({ id: question, outcome: { case: "waitingFor", value: "budget" } });
  expect(await of.read(id)).toMatchObject({ status: DocumentTestStatus.IN_PROGRESS, waitingFor: "budget" });
  clock.advance(1_000);
  await of.record(of.found(question, { score: 0.5, matches: [0] }));
  const ended = await of.read(id);
  expect(ended).toMatchObject({
    status: DocumentTestStatus.COMPLETED,
    progress: { completed: 1n, total: 1n },
    modifiedAt: timestampFromDate(clock.now()),
    results: {
      score: 0.5,
      results: [
        {
          task: { id: task.id, title: "Fees" },
          coverage: 0.5,
          reasoning: "why",
          matchedDocuments: [{ id: fees, title: "Fees" }],
        },
      ],
      unmappedDocuments: [{ id: hours, title: "Hours" }],
      scope: { documents: { tested: 2, total: 2 }, passages: { tested: 2, total: 2 }, tasks: { tested: 1, total: 1 } },
    },
  });
  expect(ended?.waitingFor).toBeUndefined();
  // Recording an answer a second time changes nothing.
  await of.record(of.failed(question));
  expect(await of.read(id)).toEqual(ended);
  expect(await of.completed(id)).toMatchObject([
    { id, type: "KNOWLEDGE_COVERAGE", status: "COMPLETED", message: null, meceMeanOverlap: null, quickstartId: null },
  ]);
  expect(await of.plan(id)).toEqual([]);
  expect(await database.sql("SELECT FROM experiments.document_question WHERE id = $1", [question])).toEqual([]);
});

test("one test per type is open at a time; another type, or the same type after its end, can start", async () => {
  const of = inTenant();
  const id = await of.start(MECE);
  await expect(of.start(MECE)).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: `A document test of type MECE has not ended: ${id}`,
  });
  await of.start(DOCS_TO_TASKS_MAPPING);
  await inTenant().start(MECE);
  const [question = ""] = await of.plan(id);
  await of.record(of.found(question));
  await of.start(MECE);
  const both = await Promise.allSettled([of.start(KNOWLEDGE_COVERAGE), of.start(KNOWLEDGE_COVERAGE)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("contradictions of MECE are created once, in the application's default quickstart or the named one", async () => {
  const of = inTenant();
  const contradictions = [{ reason: "costs", passageA: "5 euros", passageB: "nothing" }] as never;
  const run = async (more = {}) => {
    const id = await of.start(MECE, more);
    const [question = ""] = await of.plan(id);
    await of.record(of.found(question, { score: 0.25, contradictions }));
    const test = await of.read(id);
    const pairs = test?.results?.pairs as unknown as { contradictions: { id: string; quickstartId: string }[] }[];
    return { id, test, found: pairs.flatMap((pair) => pair.contradictions) };
  };
  const listed = async (id: string) => (await quickstarts.listContradictions({ id }, of.call())).data;
  const first = await run();
  expect(first.test).toMatchObject({ meceMeanOverlap: 0.25, meceMeanContradictions: 1 });
  const own = first.test?.quickstartId ?? "";
  expect(harness.registered).toContain(own);
  expect((await quickstarts.getQuickstart({ id: own }, of.call())).data?.title).toBe("Document tests");
  const stored = await listed(own);
  expect(stored).toMatchObject([
    {
      id: first.found[0]?.id,
      documentTestId: first.id,
      documentAId: fees,
      documentBId: hours,
      reason: "costs",
      passageA: "5 euros",
      passageB: "nothing",
      resolved: false,
    },
  ]);
  // While the contradiction is unresolved, the second test reports it again.
  const { data: named } = await quickstarts.createQuickstart({ title: "Bank" }, of.call());
  const quickstartId = named?.id ?? "";
  const second = await run({ quickstartId });
  expect(second.found).toEqual(first.found);
  expect([await listed(own), await listed(quickstartId)]).toEqual([stored, []]);
  // Once it is resolved, the same passages create no other contradiction, but different passages do.
  const contradictionId = stored[0]?.id ?? "";
  await quickstarts.updateContradiction({ id: own, contradictionId, resolved: true }, of.call());
  expect((await run()).found).toEqual(first.found);
  Object.assign(contradictions[0] as object, { passageB: "free" });
  const third = await run({ quickstartId });
  expect(await listed(quickstartId)).toMatchObject([{ id: third.found[0]?.id, passageB: "free" }]);
});

test("without documents a test fails with a reason; a single document has no contradictions", async () => {
  const of = inTenant();
  library.chunks = [];
  const id = await of.start(MECE);
  expect(await of.plan(id)).toEqual([]);
  expect(await of.read(id)).toMatchObject({
    status: DocumentTestStatus.FAILED,
    message: "no_documents: The application has no APPROVED or ACTIVE document",
  });
  expect(await of.completed(id)).toMatchObject([
    { type: "MECE", status: "FAILED", message: expect.stringContaining("no_documents") },
  ]);
  library.chunks = [chunk(fees, "Fees", "A card costs 5 euros.")];
  const alone = await of.start(MECE);
  await of.plan(alone);
  const ended = await of.read(alone);
  expect(ended).toMatchObject({ status: DocumentTestStatus.COMPLETED, results: { pairs: [] } });
  expect(ended?.meceMeanOverlap).toBeUndefined();
});

test("a test with more documents than are read reports how much was tested", async () => {
  const of = inTenant();
  library.chunks = Array.from({ length: 650 }, (_, at) => chunk(newId(), `Document ${at}`, `word${at % 40} and ${at}`));
  const id = await of.start(DOCS_TO_TASKS_MAPPING);
  const ids = await of.plan(id);
  expect(ids).toHaveLength(300);
  await of.record(...ids.slice(0, 100).map((questionId) => of.found(questionId)));
  expect((await of.read(id))?.progress).toMatchObject({ completed: 100n, total: 300n });
  await of.record(...ids.slice(100, 199).map((questionId) => of.found(questionId)), of.failed(ids[199] ?? ""));
  await of.record(...ids.slice(200).map((questionId) => of.found(questionId, { matches: [0] })));
  const { status, message, results } = (await of.read(id)) ?? {};
  expect([status, message]).toEqual([
    DocumentTestStatus.FAILED,
    "model_refused: no (1 of 300 questions have no answer)",
  ]);
  expect(results?.scope).toMatchObject({
    documents: { tested: 300, total: null },
    passages: { tested: 500, total: 650 },
  });
  expect(results?.documentsWithoutTasks).toHaveLength(199);
});

test("a test is offered to evaluation under a lease, offered again later, and not after its end", async () => {
  const of = inTenant();
  const id = await of.start(KNOWLEDGE_COVERAGE);
  const claim = async () => {
    const { work: all } = await work.claimWork({ limit: 500, leaseMs: 60_000 }, of.call());
    return all.filter(({ testId }) => testId === id);
  };
  const due = () =>
    database.sql("UPDATE experiments.document_test SET due_at = now() WHERE id = $1 AND due_at IS NOT NULL", [id]);
  await due();
  const [first] = await claim();
  const { applicationId, orgId } = of.tenant;
  expect(first).toMatchObject({ applicationId, orgId, task: { case: "askDocuments" } });
  expect(await claim()).toEqual([]);
  await work.confirmWork({ claims: [first?.claim ?? ""] }, of.call());
  const [row] = await database.sql<{ soon: boolean }>(
    "SELECT due_at > now() + interval '50 minutes' AS soon FROM experiments.document_test WHERE id = $1",
    [id],
  );
  expect(row?.soon).toBe(true);
  await due();
  expect(await claim()).toHaveLength(1);
  const [question = ""] = await of.plan(id);
  await of.record(of.found(question));
  await due();
  expect(await claim()).toEqual([]);
});

test("another tenant's test and questions are not found, and its answers change nothing", async () => {
  const of = inTenant();
  const theirs = inTenant();
  const id = await of.start(KNOWLEDGE_COVERAGE);
  const [question = ""] = await of.plan(id);
  const unknown = { code: Code.NotFound, rawMessage: "Document test not found" };
  await expect(theirs.read(id)).rejects.toMatchObject(unknown);
  await expect(theirs.plan(id)).rejects.toMatchObject(unknown);
  expect(await theirs.getQuestions([question])).toEqual([]);
  await theirs.record(theirs.found(question));
  expect((await of.read(id))?.status).toBe(DocumentTestStatus.IN_PROGRESS);
  await expect(of.start(MECE, { quickstartId: newId() })).rejects.toMatchObject({ rawMessage: "Quickstart not found" });
});

test("type, status and time filter the list, and every sort order ends with the id", async () => {
  const of = inTenant();
  library.chunks = [];
  const begun = clock.now();
  for (const type of [MECE, KNOWLEDGE_COVERAGE, MECE, DOCS_TO_TASKS_MAPPING]) {
    clock.advance(1_000);
    const id = await of.start(type);
    if (type === MECE) await of.plan(id);
  }
  const list = (request = {}) => tests.listDocumentTests(request, of.call());
  const at = (seconds: number) => timestampFromDate(new Date(begun.getTime() + seconds * 1_000));
  for (const [filter, total] of [
    [{}, 4n],
    [{ type: [MECE] }, 2n],
    [{ type: [MECE, KNOWLEDGE_COVERAGE], status: [DocumentTestStatus.PENDING] }, 1n],
    [{ status: [DocumentTestStatus.FAILED] }, 2n],
    [{ startDate: at(2), endDate: at(3) }, 2n],
    [{ start: at(2), end: at(3) }, 2n],
    [{ startDate: at(2), end: at(2) }, 1n],
  ] as const) {
    expect((await list(filter)).pagination?.total).toBe(total);
  }
  const { CREATED_AT, MODIFIED_AT, TYPE, STATUS, ID } = DocumentTestOrder;
  for (const orderBy of [undefined, CREATED_AT, MODIFIED_AT, TYPE, STATUS, ID]) {
    const order = orderBy === undefined ? {} : { orderBy };
    const listIds = ({ data }: { data: { id: string }[] }) => data.map((listed) => listed.id);
    const pages = await Promise.all([0n, 1n, 2n, 3n].map((skip) => list({ ...order, skip, limit: 1 })));
    expect(pages.flatMap(listIds)).toEqual(listIds(await list(order)));
  }
});
