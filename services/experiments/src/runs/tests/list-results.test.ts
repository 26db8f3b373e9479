import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Database, type Statement } from "@ems/kit/db/database";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { type NewTestSchema, TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { database } = harness;
const tests = harness.client(TestService);
const tenant = testTenant();
const call = () => testCall(tenant);

const at = (time: string) => timestampFromDate(new Date(time));

async function newRun(newTests: MessageInitShape<typeof NewTestSchema>[]) {
  const { run, testIds } = await tests.recordResults({ tests: newTests }, call());
  return { id: run?.id ?? "", testIds };
}

async function readPages(id: string, limit: number) {
  const pages = [];
  for (let after: string | undefined; ; ) {
    const { data } = await tests.listResults({ id, limit, ...(after && { after }) }, call());
    pages.push(data);
    after = data.at(-1)?.id;
    if (data.length < limit) return pages;
  }
}

test("pages have each test of the run exactly once, by time and id, equal to the test read by id", async () => {
  const definitions = [newId(), newId(), newId()];
  const times = ["2026-01-01T00:00:00.001Z", "2025-11-30T23:59:59.999Z", "2025-12-01T00:00:00Z"];
  const newTests = Array.from({ length: 12 }, (_, index) => ({
    taskId: newId(),
    createdAt: at(times[index % 3] ?? ""),
    score: index / 7,
    evaluations: definitions.slice(index % 4).map((definitionId) => ({ definitionId, passed: index % 2 === 0 })),
  }));
  const { id, testIds } = await newRun(newTests);
  await newRun([{ taskId: newId() }]);

  const whole = await Promise.all(testIds.map(async (testId) => (await tests.getTest({ id: testId }, call())).test));
  const key = (listed: (typeof whole)[number]) =>
    `${Number(listed?.createdAt?.seconds)} ${listed?.createdAt?.nanos} ${listed?.id}`;
  const recorded = (listed: (typeof whole)[number]) => ({
    id: listed?.id,
    createdAt: listed?.createdAt,
    score: listed?.score,
    evaluations: listed?.evals.map(({ id, definitionId, passed }) => ({ id, definitionId, passed })),
  });
  const expected = whole.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)).map(recorded);
  for (const limit of [1, 5, 12, 1000]) expect((await readPages(id, limit)).flat()).toMatchObject(expected);
  expect((await tests.listResults({ id }, call())).data).toMatchObject(expected);
});

test("unknown runs and tests, and those of another tenant or run, are not found", async () => {
  const [run, other] = [await newRun([{ taskId: newId() }]), await newRun([{ taskId: newId() }])];
  const [after = ""] = other.testIds;
  for (const [request, by, rawMessage] of [
    [{ id: newId() }, tenant, "Run not found"],
    [{ id: run.id }, testTenant(), "Run not found"],
    [{ id: run.id, after }, tenant, "Test not found"],
    [{ id: run.id, after: newId() }, tenant, "Test not found"],
    [{ id: run.id, after: run.testIds[0] ?? "" }, testTenant(), "Test not found"],
  ] as const) {
    const answer = tests.listResults(request, testCall(by));
    await expect(answer).rejects.toMatchObject({ code: Code.NotFound, rawMessage });
  }
});

test.each([0, 1001])("a limit of %s is refused", async (limit) => {
  await expect(tests.listResults({ id: newId(), limit }, call())).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("a page takes three statements, which do not read the tests before it", async () => {
  const { id } = await newRun(thousand());
  for (let more = 0; more < 3; more++) {
    harness.clock.advance(1_000);
    await tests.recordResults({ runId: id, tests: thousand() }, call());
  }
  await database.sql("ANALYZE experiments.test, experiments.evaluation");
  const read = vi.spyOn(Database.prototype, "readAll");
  const pages = await readPages(id, 1_000);
  expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 1_000, 1_000, 0]);
  const statements = read.mock.calls.flatMap(([, all]) => all);
  expect(statements).toHaveLength(4 * 3 + 2);
  // Compares the statements of the first and the last page: the start, the tests, the evaluations.
  for (const of of [1, 2]) {
    const [first, last] = await Promise.all([statements[of], statements[of + 9]].map(countBlocks));
    expect(last).toBeLessThan(1.5 * (first ?? 0));
  }
});

const thousand = () =>
  Array.from({ length: 1_000 }, () => ({ taskId: newId(), evaluations: [{ definitionId: newId() }] }));

/** Returns the number of blocks that a statement reads. */
async function countBlocks(statement: Statement | undefined): Promise<number> {
  const { text = "", values = [] } = statement ?? {};
  const [row] = await database.sql(`EXPLAIN (ANALYZE, BUFFERS, FORMAT json) ${text}`, [...values]);
  const plan = row?.["QUERY PLAN"][0].Plan;
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}
