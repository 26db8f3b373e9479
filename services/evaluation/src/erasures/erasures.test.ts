import { newId } from "@ems/kit/id";
import type { FinishErasedItemsRequest } from "@ems/proto/experiments/v1/erasure_work_service";
import { testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { evaluationHarness } from "../../test/harness.ts";

const erased: { id: string; applicationId: string; orgId: string; testIds: string[] }[] = [];
const finished: FinishErasedItemsRequest[] = [];
const { tenant, database } = await evaluationHarness(
  {},
  {
    erasureWork: {
      claimErasedItems: () => ({ items: erased.splice(0) }),
      finishErasedItems: (request) => {
        finished.push(request);
        return {};
      },
    },
  },
);

test("jobs of erased tests end and lose their judges' replies; other jobs continue", async () => {
  const [testId, otherId] = [newId(), newId()];
  const { applicationId, orgId } = tenant;
  const foreign = testTenant().applicationId;
  for (const [application, id] of [
    [applicationId, testId],
    [applicationId, otherId],
    [foreign, testId],
  ]) {
    await database.sql(
      `INSERT INTO evaluation.job (application_id, id, org_id, kind, test_id, needs_model, created_at, next_attempt_at,
         waiting_for, replies, outcome)
       VALUES ($1, $2, 'o', 'JUDGE', $3, true, now(), 'infinity', 'budget', '{"text": "4711x"}', '{"text": "4711x"}')`,
      [application, newId(), id],
    );
  }
  erased.push({ id: newId(), applicationId, orgId, testIds: [testId] });
  await vi.waitFor(() => expect(finished).toMatchObject([{ jobs: 1n }]), { timeout: 20_000, interval: 50 });
  const rows = await database.sql(
    `SELECT replies, outcome, finished_at IS NULL AS open FROM evaluation.job WHERE application_id = $1 ORDER BY test_id = $2`,
    [applicationId, testId],
  );
  const output = { text: "4711x" };
  expect(rows).toEqual([
    { replies: output, outcome: output, open: true },
    { replies: null, outcome: null, open: false },
  ]);
  expect(await database.sql("SELECT FROM evaluation.job WHERE replies IS NOT NULL")).toHaveLength(2);
});
