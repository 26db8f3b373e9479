// Filters by level agree with the levels in the responses.

import { enumName } from "@ems/kit/enum";
import { newId } from "@ems/kit/id";
import { MetricLevel } from "@ems/proto/catalog/v1/metrics";
import { TaskOrder, TaskState, TaskStateSchema } from "@ems/proto/catalog/v1/task_service";
import { testCall } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { tasks, tenant, database } = await catalogHarness();
const { applicationId } = tenant;

/** State of a pseudorandom generator whose numbers are the same in every run. */
let state = 20_261_122;
const next = (below: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const pick = (values: readonly number[]) => values[next(values.length)] ?? 0;

function newBucket() {
  const total = pick([0, 1, 2, 19, 20, 34, 35, 36, 100, 381, 400, 5_000]);
  const passed = Math.round(total * pick([0, 0.2, 0.5, 0.501, 0.7, 0.75, 0.751, 0.9, 1]));
  const scores = Array.from({ length: next(7) }, () => pick([0, 0.1, 0.2, 0.25, 0.333333, 0.5, 0.9, 1]));
  const units = scores.map((score) => Math.round(score * 4e6));
  const [sum, squares] = [units.reduce((a, b) => a + b, 0), units.reduce((a, b) => a + b * b, 0)];
  return { tests: [total, passed], evaluations: [7, 3, scores.length, sum, squares] };
}

beforeAll(async () => {
  for (let at = 0; at < 200; at += 1) {
    const { task } = await tasks.createTask({ title: `task ${at}`, description: "d" }, testCall(tenant));
    for (const isMonitoring of [true, false]) {
      const day = next(32);
      const { tests, evaluations } = newBucket();
      await database.sql(
        `INSERT INTO experiments.task_day VALUES ($1, $2, (now() AT TIME ZONE 'UTC')::date - $3::int, $4, $5, $6)`,
        [applicationId, task?.id, day, isMonitoring, ...tests],
      );
      await database.sql(
        `INSERT INTO experiments.task_definition_day VALUES
          ($1, $2, $3, (now() AT TIME ZONE 'UTC')::date - $4::int, $5, $6, $7, $8, $9, $10)`,
        [applicationId, task?.id, newId(), day, isMonitoring, ...evaluations],
      );
    }
  }
  await tasks.createTask({ title: "without results", description: "d" }, testCall(tenant));
}, 60_000);

type Request = Parameters<typeof tasks.listTasks>[0];
async function all(request: Request = {}) {
  const data = [];
  for (let skip = 0n; ; skip += 100n) {
    const page = await tasks.listTasks({ ...request, skip, limit: 100, orderBy: TaskOrder.ID }, testCall(tenant));
    data.push(...page.data);
    if (page.data.length < 100) {
      expect(page.pagination?.total).toBe(BigInt(data.length));
      return data;
    }
  }
}
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

test("each level filter finds the tasks with that level, and their total", async () => {
  const listed = await all();
  const healthLevel = (score: number | undefined) =>
    score === undefined
      ? undefined
      : score >= 90
        ? MetricLevel.HIGH
        : score >= 60
          ? MetricLevel.MEDIUM
          : MetricLevel.LOW;
  const toStatus = (rate: number | undefined) =>
    rate === undefined ? "no-tests" : rate > 75 ? "success" : rate > 50 ? "warning" : "error";
  const { HIGH, MEDIUM, LOW } = MetricLevel;
  for (const level of [HIGH, MEDIUM, LOW]) {
    for (const [filter, readLevel] of [
      ["confidenceLevel", (task) => task.combined?.confidence?.level],
      ["stabilityLevel", (task) => task.combined?.stability?.level],
      ["healthScoreLevel", (task) => healthLevel(task.combined?.healthScore)],
    ] as [string, (task: (typeof listed)[number]) => MetricLevel | undefined][]) {
      const expected = ids(listed.filter((task) => readLevel(task) === level));
      expect([filter, level, expected.length > 0]).toEqual([filter, level, true]);
      expect(ids(await all({ [filter]: [level] }))).toEqual(expected);
      expect(ids(await all({ [filter]: [level, MEDIUM] }))).toEqual(
        ids(listed.filter((task) => [level, MEDIUM].some((value) => value === readLevel(task)))),
      );
    }
  }
  const { SUCCESS, WARNING, ERROR, NO_TESTS, ACTIVE, DRAFT } = TaskState;
  for (const state of [SUCCESS, WARNING, ERROR, NO_TESTS]) {
    const name = enumName(TaskStateSchema, state);
    const expected = ids(listed.filter((task) => toStatus(task.combined?.passRate) === name));
    expect([name, expected.length > 0]).toEqual([name, true]);
    expect(ids(await all({ status: [state] }))).toEqual(expected);
    expect(ids(await all({ status: [state, ACTIVE] }))).toEqual(expected);
    expect(ids(await all({ status: [state, DRAFT] }))).toEqual([]);
  }
  const search = "task 1";
  const found = listed.filter(({ title }) => title.includes(search));
  expect(ids(await all({ search, confidenceLevel: [LOW] }))).toEqual(
    ids(found.filter(({ combined }) => combined?.confidence?.level === LOW)),
  );
});

test("results older than 30 days are not measured, all others are", async () => {
  const [task] = (await tasks.listTasks({ search: "without results" }, testCall(tenant))).data;
  const definitionId = newId();
  await database.sql(
    `INSERT INTO catalog.eval_definition (application_id, id, org_id, type, name, created_at, modified_at, status)
     VALUES ($1, $2, $3, 'RECALL', 'Recall', now(), now(), 'ACTIVE')`,
    [applicationId, definitionId, tenant.orgId],
  );
  for (const [daysAgo, isMonitoring, tests] of [
    [0, false, 2],
    [29, false, 3],
    [30, false, 100],
    [29, true, 5],
    [31, true, 100],
  ]) {
    const values = [applicationId, task?.id, daysAgo, isMonitoring, tests];
    const day = "(now() AT TIME ZONE 'UTC')::date - $3::int";
    await database.sql(`INSERT INTO experiments.task_day VALUES ($1, $2, ${day}, $4, $5::int, $5::int - 1)`, values);
    await database.sql(
      `INSERT INTO experiments.task_definition_day VALUES ($1, $2, $6, ${day}, $4, $5::int, 1, 0, 0, 0)`,
      [...values, definitionId],
    );
  }
  const { task: read } = await tasks.getTask({ id: task?.id ?? "" }, testCall(tenant));
  expect(read).toMatchObject({
    monitoring: { tests: 5n, testsPassed: 4n, passRate: 80, evaluations: 5n, passed: 1n },
    synthetic: { tests: 5n, testsPassed: 3n, passRate: 60, evaluations: 5n, passed: 2n },
    monitoringPassRate: 80,
    passRate: 60,
    breakdown: {
      monitoring: [
        {
          evalDefinitionId: definitionId,
          evalDefinitionName: "Recall",
          metrics: { tests: 5n, testsPassed: 1n, passRate: 20 },
        },
      ],
      synthetic: [{ metrics: { tests: 5n, evaluations: 5n, passed: 2n } }],
    },
  });
  const [listed] = (await tasks.listTasks({ search: "without results" }, testCall(tenant))).data;
  expect(listed?.combined).toMatchObject({ tests: 10n, testsPassed: 7n });
});
