import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { IssuePriority, IssueService, IssueSource, IssueStatus } from "@ems/proto/experiments/v1/issue_service";
import { RunType } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { clock, database } = harness;
const dayMs = 24 * 60 * 60 * 1000;
const issues = harness.client(IssueService);

/** Creates an application with daily live traffic. `passes` contains the number of passed tests out of 40, by topic. */
function monitored() {
  const tenant = testTenant();
  const call = testCall(tenant);
  const [even, falling, without] = [newId(), newId(), newId()];
  const topicIds = { even: newId(), falling: newId() };
  harness.topicByTask.set(even, topicIds.even).set(falling, topicIds.falling);
  /** Records the tests of the day that was `daysAgo` days ago. */
  const record = async (daysAgo: number, passes: { even: number; falling: number; without: number }) => {
    const createdAt = timestampFromDate(new Date(clock.now().getTime() - daysAgo * dayMs));
    const tests = Object.entries({ [even]: passes.even, [falling]: passes.falling, [without]: passes.without }).flatMap(
      ([taskId, passed]) => Array.from({ length: 40 }, (_, at) => ({ taskId, passed: at < passed, createdAt })),
    );
    await harness.client(TestService).recordResults({ run: { type: RunType.MONITORING }, tests }, call);
  };
  /** Runs the check for the days until yesterday. */
  const look = async () => {
    const yesterday = new Date(clock.now().getTime() - dayMs).toISOString().slice(0, 10);
    await database.sql(
      "INSERT INTO experiments.monitoring_run (application_id, day, run_id, org_id) VALUES ($1, $2, $3, $4)",
      [tenant.applicationId, yesterday, newId(), tenant.orgId],
    );
    const open = () =>
      database.sql("SELECT FROM experiments.monitoring_run WHERE application_id = $1 AND is_open", [
        tenant.applicationId,
      ]);
    await expect.poll(async () => (await open()).length, { timeout: 20_000 }).toBe(0);
  };
  const all = async () => (await issues.listIssues({}, call)).data;
  return { call, record, look, all, topicIds };
}

test("a topic with a regression has one issue, which is closed on recovery", async () => {
  const application = monitored();
  for (let daysAgo = 30; daysAgo > 2; daysAgo--)
    await application.record(daysAgo, { even: 34, falling: 34, without: 34 });
  for (const daysAgo of [2, 1]) await application.record(daysAgo, { even: 34, falling: 20, without: 34 });
  await application.look();
  const [issue, ...rest] = await application.all();
  expect(rest).toEqual([]);
  expect(issue).toMatchObject({
    source: IssueSource.MONITORING,
    status: IssueStatus.OPEN,
    priority: IssuePriority.HIGH,
    topicId: application.topicIds.falling,
    occurrences: 1,
    impact:
      "Passed in the last 2 days: 50.0 % (40 of 80); in the 28 days before: 85.0 % (952 of 1120). Difference: 7.0 standard errors.",
  });
  expect(await outboxEvents(database, "experiments", { type: "issue.created", text: issue?.id ?? "" })).toHaveLength(1);

  clock.advance(dayMs);
  await application.record(1, { even: 34, falling: 20, without: 34 });
  await application.look();
  expect(await application.all()).toMatchObject([{ id: issue?.id, status: IssueStatus.OPEN, occurrences: 2 }]);
  for (let days = 0; days < 12; days++) {
    clock.advance(dayMs);
    await application.record(1, { even: 34, falling: 34, without: 34 });
  }
  await application.look();
  expect(await application.all()).toMatchObject([{ id: issue?.id, status: IssueStatus.RESOLVED }]);
});

test("tests without a topic are checked together", async () => {
  const application = monitored();
  for (let daysAgo = 30; daysAgo > 2; daysAgo--)
    await application.record(daysAgo, { even: 34, falling: 34, without: 34 });
  for (const daysAgo of [2, 1]) await application.record(daysAgo, { even: 34, falling: 34, without: 20 });
  await application.look();
  const [issue] = await application.all();
  expect([issue?.source, issue?.topicId]).toEqual([IssueSource.MONITORING, undefined]);
  await issues.updateIssue({ id: issue?.id ?? "", priority: IssuePriority.LOW }, application.call);
  clock.advance(dayMs);
  await application.record(1, { even: 34, falling: 34, without: 20 });
  await application.look();
  expect(await application.all()).toMatchObject([{ id: issue?.id, occurrences: 2 }]);
});
