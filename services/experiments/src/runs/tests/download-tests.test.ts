import { Code } from "@connectrpc/connect";
import { newId } from "@ems/kit/id";
import { TestOutcome } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const tests = harness.client(TestService);
type Request = Parameters<typeof tests.downloadTests>[0];

async function download(tenant: ReturnType<typeof testTenant>, request: Request = {}) {
  const lines: Record<string, unknown>[] = [];
  for (let after = request.after, pages = 1; ; pages += 1) {
    const page = await tests.downloadTests({ ...request, ...(after !== undefined && { after }) }, testCall(tenant));
    const texts = Buffer.from(page.payload).toString().split("\n");
    lines.push(...texts.slice(0, -1).map((text) => JSON.parse(text)));
    after = page.next;
    if (after === undefined) return { lines, pages };
  }
}
const passed = (count: number) =>
  Array.from({ length: count }, () => ({ definitionId: newId(), passed: true, score: 1 }));

test("all tests are exported once with their evaluations, whatever arrives meanwhile", async () => {
  const tenant = testTenant();
  const record = (count: number, evaluations: number) =>
    tests.recordResults(
      { tests: Array.from({ length: count }, () => ({ taskId: newId(), evaluations: passed(evaluations) })) },
      testCall(tenant),
    );
  const ids = [...(await record(130, 0)).testIds, ...(await record(4, 20)).testIds];
  const { lines, pages } = await download(tenant);
  expect(lines.map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(pages).toBeGreaterThan(2);
  expect(lines.filter(({ evals }) => (evals as unknown[]).length === 20)).toHaveLength(4);
  const middle = String(lines[60]?.cursor);
  harness.clock.advance(60_000);
  await record(1, 0);
  const rest = await download(tenant, { after: middle });
  expect(rest.lines.map(({ id }) => id)).toEqual(lines.slice(61).map(({ id }) => id));
  expect((await download(tenant)).lines).toHaveLength(135);
});

test("a line is the test as the list returns it, and filters apply", async () => {
  const tenant = testTenant();
  const failed = { taskId: newId(), evaluations: [{ definitionId: newId(), passed: false, score: 0.000_000_1 }] };
  const { testIds } = await tests.recordResults(
    { tests: [failed, { taskId: newId(), evaluations: passed(1) }] },
    testCall(tenant),
  );
  const { lines } = await download(tenant, { outcome: [TestOutcome.FAILED] });
  expect(lines).toMatchObject([
    { id: testIds[0], outcome: "FAILED", passed: false, taskId: failed.taskId, evals: [{ score: 0.000_000_1 }] },
  ]);
  const after = String(lines[0]?.cursor);
  const refused = { code: Code.InvalidArgument };
  await expect(tests.downloadTests({ after }, testCall(tenant))).rejects.toMatchObject(refused);
  const other = testCall(testTenant());
  await expect(tests.downloadTests({ outcome: [TestOutcome.FAILED], after }, other)).rejects.toMatchObject(refused);
  expect((await tests.downloadTests({}, other)).payload).toHaveLength(0);
});
