// Requests return the same response before and after all rows are archived.

import { isDeepStrictEqual } from "node:util";
import { Code, type ConnectError } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { definedFields } from "@ems/kit/patch";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { ResultStatus, RunType } from "@ems/proto/experiments/v1/run";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { PassRateStatus, TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testClickhouse, testTenant } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { archivedData } from "../../../test/archived-data.ts";
import { dropping } from "../../../test/dropped.ts";
import { experimentsHarness } from "../../../test/harness.ts";

const clickhouse = await testClickhouse();
const harness = await experimentsHarness({ ...clickhouse.env, ARCHIVE_AFTER_DAYS: "3650" });
const { database } = harness;
const seed = Number(process.env.ARCHIVE_SEED ?? 528780749);
/** Number of requests for each kind of list and each tenant. */
const requestsEach = Number(process.env.ARCHIVE_REQUESTS ?? 15);
const data = archivedData(harness, seed);
const { tenants, below, pick, pickSome, maybe, random, dayMs, days, start, timeAt } = data;
const { taskIds, topicIds, definitionIds, tagIds, references, users, words } = data;
const { runIds, testIds, traceIds, evaluationIds, variantIds } = data;
const tests = harness.client(TestService);
const evaluations = harness.client(EvaluationService);
const traces = harness.client(TraceService);
const runs = harness.client(RunService);

beforeAll(data.fill);

interface Request {
  readonly name: string;
  readonly read: () => Promise<unknown>;
}

/** Removes undefined fields. The cast is safe, because the RPC validates the rest. */
const requested = (request: object) => definedFields(request) as never;

/** Store that list requests read. */
let store: "archive" | undefined;

/** Builds random list requests with every kind of page and filter, and every look-up. */
function buildRequests(tenant: (typeof tenants)[number]): Request[] {
  const call = () => testCall(tenant, 60_000);
  const few = (all: readonly string[]) => Array.from({ length: 1 + below(3) }, () => pick(all));
  const page = (orders: readonly number[]) => ({
    skip: maybe(() => BigInt(pick([0, 1, 5, 30, 1_000])), 0.6),
    limit: maybe(() => pick([1, 3, 10, 100]), 0.8),
    orderBy: maybe(() => pick(orders), 0.7),
    orderDir: maybe(() => pick([OrderDirection.ASC, OrderDirection.DESC]), 0.6),
  });
  const range = () => ({
    startDate: maybe(() => timeAt(random() * days), 0.25),
    endDate: maybe(() => timeAt(random() * days), 0.25),
  });
  const none = () => [] as string[];
  const common = () => ({
    ...range(),
    taskId: maybe(() => few(taskIds), 0.2) ?? none(),
    status: maybe(() => [pick([ResultStatus.COMPLETED, ResultStatus.FAILED])], 0.2) ?? [],
    runType: maybe(() => [RunType.MANUAL], 0.2) ?? [],
    evalDefinitionId: maybe(() => few(definitionIds), 0.2) ?? none(),
  });
  const orders = [1, 2, 3, 4];
  const requests: Request[] = [];
  const add = <T>(kind: string, request: T, read: (request: T) => Promise<unknown>) => {
    const name = `${kind} ${JSON.stringify(request, (_, value) => (typeof value === "bigint" ? String(value) : value))}`;
    requests.push({ name, read: () => read(request) });
  };
  for (let index = 0; index < requestsEach; index++) {
    const test = {
      ...page([...orders, 5, 6, 7]),
      ...common(),
      evalOutcome: maybe(() => [pick([1, 2, 3, 4])], 0.15) ?? [],
      runId: maybe(() => few(runIds), 0.15) ?? none(),
      topicId: maybe(() => few(topicIds), 0.2) ?? none(),
      passRateStatuses:
        maybe(() => [pick([PassRateStatus.SUCCESS, PassRateStatus.WARNING, PassRateStatus.ERROR])], 0.15) ?? [],
    };
    add("tests", test, (request) => tests.listTests(requested({ ...request, store }), call()));
    const evaluation = {
      ...page(orders),
      ...range(),
      testId: maybe(() => few(testIds), 0.15) ?? none(),
      traceId: maybe(() => few([...traceIds, ...references]), 0.2) ?? none(),
      definitionId: maybe(() => few(definitionIds), 0.3) ?? none(),
      status: maybe(() => [pick([EvaluationStatus.COMPLETED, EvaluationStatus.SKIPPED])], 0.3) ?? [],
      includeReplaced: maybe(() => true),
    };
    add("evaluations", evaluation, (request) => evaluations.listEvaluations(requested({ ...request, store }), call()));
    const metadata = maybe(
      () =>
        pick([
          ["text", pick(words)],
          ["n", "1"],
          ["flag", "true"],
          ["none", "null"],
        ] as const),
      0.2,
    );
    const trace = {
      ...page([1, 2, 3, 4, 5, 6, 7]),
      ...range(),
      testId: maybe(() => pick(testIds), 0.1),
      referenceId: maybe(() => pick(references), 0.15),
      user: maybe(() => pick(users), 0.15),
      hasError: maybe(() => random() < 0.5, 0.15),
      minCost: maybe(() => random() * 10, 0.1),
      maxCost: maybe(() => random() * 30, 0.1),
      minDuration: maybe(() => BigInt(below(3_000)), 0.1),
      maxDuration: maybe(() => BigInt(below(9_000)), 0.1),
      minScore: maybe(() => random(), 0.15),
      maxScore: maybe(() => random(), 0.1),
      ...(metadata && { metadataKey: metadata[0], metadataValue: metadata[1] }),
      search: maybe(() => pickSome(words).slice(0, 2).join(" "), 0.25),
    };
    add("traces", trace, (request) => traces.listTraces(requested({ ...request, store }), call()));
    add("steps", { id: pick(traceIds), skip: maybe(() => 1n), limit: 2 }, (request) =>
      traces.listTraceSteps(requested(request), call()),
    );
    const order = { limit: 1 + below(9), orderDir: pick([OrderDirection.ASC, OrderDirection.DESC]) };
    add("pages of traces", { ...order, orderBy: pick([1, 2, 3, 4, 5, 6, 7]) }, (request) =>
      walk((after) => traces.listTraces(requested({ ...request, after, store }), call())),
    );
    add("pages of tests", { ...order, orderBy: pick([...orders, 5, 6, 7]) }, (request) =>
      walk((after) => tests.listTests(requested({ ...request, after, store }), call())),
    );
    add("pages of evaluations", { ...order, orderBy: pick(orders) }, (request) =>
      walk((after) => evaluations.listEvaluations(requested({ ...request, after, store }), call())),
    );
    add("pages of steps", { id: pick(traceIds), limit: 1 }, (request) =>
      walk((after) => traces.listTraceSteps(requested({ ...request, after }), call())),
    );
    const result = { id: pick(runIds), after: maybe(() => pick(testIds)), limit: 1 + below(4) };
    add("results", result, (request) => tests.listResults(requested({ ...request, store }), call()));
  }
  for (const id of [...testIds.slice(0, 25), newId()]) {
    add("test", id, () => tests.getTest({ id }, call()));
    add("trace of test", id, () => traces.getTraceByTest({ id }, call()));
  }
  for (const id of [...traceIds.slice(0, 25), newId()]) add("trace", id, () => traces.getTrace({ id }, call()));
  for (const id of [...evaluationIds.slice(0, 25), newId()]) {
    add("evaluation", id, () => evaluations.getEvaluation({ id }, call()));
  }
  return requests;
}

interface ListedPage {
  unindexed?: bigint | undefined;
  readonly data: readonly { readonly id: string }[];
  readonly pagination?: { nextCursor?: string | undefined } | undefined;
}

/** Reads all pages by their cursors; returns the ids of each page. */
async function walk(read: (after: string | undefined) => Promise<ListedPage>): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: string | undefined; ; ) {
    const { data, pagination } = await read(after);
    pages.push(data.map(({ id }) => id));
    after = pagination?.nextCursor;
    if (after === undefined) return pages;
  }
}

/** Replaces the cursor, which differs between stores, and omits the state of the index, which the archive does not have. */
function comparable<T>(answer: T): T {
  const listed = answer as ListedPage;
  delete listed.unindexed;
  const { pagination } = listed;
  if (pagination?.nextCursor !== undefined) pagination.nextCursor = "cursor";
  return answer;
}

const readMessage = (answer: unknown) => (answer instanceof Object && "message" in answer ? answer.message : "");

/** Returns the responses, and errors in the same form. */
async function readAnswers(requests: readonly Request[]) {
  const answers: unknown[] = [];
  for (const { read } of requests) {
    answers.push(
      await read().then(comparable, (error: Error & { code?: number }) => ({
        code: error.code,
        message: error.message,
      })),
    );
  }
  return answers;
}

test("responses are the same from PostgreSQL and from the archive", {
  retry: 0,
  timeout: 600_000,
}, async () => {
  await expect.poll(async () => (await database.sql("SELECT FROM traces.search_job")).length).toBe(0);
  // Tests have the usage of their traces.
  const countIncomplete = async () => (await database.sql("SELECT FROM traces.trace_settling")).length;
  await expect.poll(countIncomplete, { timeout: 60_000 }).toBe(0);
  const drop = await dropping(clickhouse, database);
  const requests = tenants.flatMap(buildRequests);
  const before = await readAnswers(requests);
  const [from, to] = [new Date(start - 2 * dayMs), new Date(start + (days + 1) * dayMs)];
  for (const { applicationId } of tenants) {
    for (const kind of ["results", "traces"] as const) await drop(applicationId, kind, from, to);
  }
  expect(await database.sql("SELECT FROM traces.trace UNION ALL SELECT FROM experiments.evaluation")).toEqual([]);
  store = "archive";
  const after = await readAnswers(requests);
  const differing = requests.flatMap(({ name }, index) =>
    isDeepStrictEqual(after[index], before[index])
      ? []
      : [{ seed, name, messages: [before[index], after[index]].map(readMessage) }],
  );
  expect(differing).toEqual([]);
});

test("a list reports the earliest time in PostgreSQL, and the archive refuses filters on other tables", async () => {
  const [tenant] = tenants;
  const call = () => testCall(tenant, 60_000);
  const { data, pagination } = await tests.listTests({}, call());
  expect([data, pagination?.total]).toEqual([[], 0n]);
  expect(pagination?.archivedBefore).toEqual(timeAt(days + 1));
  expect((await tests.listTests({ startDate: timeAt(days + 2) }, call())).pagination?.archivedBefore).toBeUndefined();
  for (const filter of [{ tagId: [pick(tagIds)] }, { experimentVariantId: [pick(variantIds)] }]) {
    await expect(tests.listTests({ ...filter, store: "archive" }, call())).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  }
});

test.skipIf(!clickhouse.isOurs)(
  "while the archive is away, PostgreSQL's rows are returned, and the rest is 503",
  async () => {
    const [tenant] = tenants;
    const call = () => testCall(tenant, 30_000);
    harness.clock.advance(10 * dayMs);
    const [taskId = ""] = taskIds;
    const { testIds: recorded } = await tests.recordResults({ tests: [{ taskId }] }, call());
    const [testId = ""] = recorded;
    const traceId = newId();
    await harness.client(IngestService).ingestEvents({ events: [{ type: "trace", traceId, testId }] }, call());
    const startDate = timeAt(days + 9);
    const answered = [
      () => tests.getTest({ id: testId }, call()),
      () => traces.getTrace({ id: traceId }, call()),
      () => traces.getTraceByTest({ id: testId }, call()),
      () => traces.listTraceSteps({ id: traceId }, call()),
      () => tests.listTests({ startDate }, call()),
      () => tests.listTests({}, call()),
      () => evaluations.listEvaluations({}, call()),
      () => traces.listTraces({ search: "card" }, call()),
      () => runs.listRuns({ taskId: [taskId] }, call()),
      () => tests.listTests({}, testCall(testTenant())),
    ];
    const refused = [
      () => tests.getTest({ id: testIds[0] ?? "" }, call()),
      // The error says that the test may be archived.
      () => tests.getTest({ id: newId() }, call()),
      () => traces.getTrace({ id: traceIds[0] ?? "" }, call()),
      () => evaluations.getEvaluation({ id: newId() }, call()),
      () => tests.listTests({ store: "archive" }, call()),
      () => traces.listTraces({ search: "card", store: "archive" }, call()),
    ];
    const before = await Promise.all(answered.map((read) => read()));
    await clickhouse.kill();
    expect(await Promise.all(answered.map((read) => read()))).toEqual(before);
    for (const read of refused) {
      const error = await read().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({ code: Code.Unavailable });
      expect((error as ConnectError).metadata.get("retry-after")).toMatch(/^\d+$/);
    }
    await clickhouse.start();
    expect((await tests.getTest({ id: testIds[0] ?? "" }, call())).test?.id).toBe(testIds[0]);
  },
);
