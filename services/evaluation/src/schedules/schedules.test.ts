import { createClient, createRouterTransport } from "@connectrpc/connect";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { Code, ConnectError, invalidFields, unavailable } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { issuesOfError } from "@ems/kit/json/violations";
import { createLog } from "@ems/kit/log";
import { tenantKey } from "@ems/kit/rpc/call";
import { ScheduleCriticality } from "@ems/proto/catalog/v1/task_service";
import { ScheduleService } from "@ems/proto/evaluation/v1/schedule_service";
import { ExecutionService, type StartRunRequest } from "@ems/proto/experiments/v1/execution_service";
import { RunType } from "@ems/proto/experiments/v1/run";
import { testCall, testTenant } from "@ems/test-support";
import { beforeEach, describe, expect, test } from "vitest";
import { evaluationHarness } from "../../test/harness.ts";
import { evaluationSchema } from "../schema.ts";
import { startScheduler } from "./scheduler.ts";

const { HIGH, LOW } = ScheduleCriticality;
const missingTasks = new Set<string>();
const archivedTasks = new Set<string>();
/** Runs that experiments started, and its responses by task. */
const started: Pick<StartRunRequest, "runId" | "type" | "taskIds">[] = [];
const faults = new Map<string, () => Error>();

const options = {
  missingTasks,
  archivedTasks,
  execution: {
    startRun: async ({ runId, type, taskIds }: StartRunRequest) => {
      started.push({ runId, type, taskIds });
      const fault = faults.get(taskIds[0] ?? "");
      if (fault !== undefined) throw fault();
      return { testCount: 1 };
    },
  },
};
const harness = await evaluationHarness({}, options);
const { database } = harness;
const schedules = harness.client(ScheduleService);

let tenant = testTenant();
beforeEach(() => {
  tenant = testTenant();
});
const asTenant = () => testCall(tenant);
const daily = { cron: "0 7 * * *", timezone: "Europe/Copenhagen", criticality: HIGH };
const put = (id: string, request: object = {}, call = asTenant()) =>
  schedules.putTaskSchedule({ id, ...daily, ...request }, call);
const get = (id: string) => schedules.getTaskSchedule({ id }, asTenant());
/** Sets the next time of the schedule. */
const dueAt = (id: string, time: Date) =>
  database.sql("UPDATE evaluation.task_schedule SET next_run_at = $2 WHERE task_id = $1", [id, time]);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const listRuns = (id: string) => started.filter(({ taskIds }) => taskIds[0] === id);
const hasRun = (id: string) => expect.poll(() => get(id)).toMatchObject({ lastRunAt: expect.anything() });

/** Tenants for which the other schedulers started runs. */
const tenants: (string | undefined)[] = [];

/** Starts a scheduler as in another process; returns a function that stops it. */
async function otherScheduler() {
  const log = createLog("evaluation", "silent");
  const connections = { schema: evaluationSchema, poolMax: 2, log };
  const source = await serviceDataSource({ ...connections, url: database.getUrl(evaluationSchema) }).initialize();
  const relayDatabase = new RelayDatabase({ ...connections, url: database.getRelayUrl(evaluationSchema) });
  const transport = createRouterTransport((router) => void router.service(ExecutionService, options.execution), {
    transport: {
      interceptors: [
        (next) => (request) => {
          tenants.push(request.contextValues.get(tenantKey)?.applicationId);
          return next(request);
        },
      ],
    },
  });
  const execution = createClient(ExecutionService, transport);
  const scheduler = startScheduler({ database: new Database(source), relayDatabase, execution, log });
  return async () => {
    await scheduler.stop();
    await relayDatabase.close();
    await source.destroy();
  };
}

describe("a schedule", () => {
  test("is created, read, replaced and deleted", async () => {
    const id = newId();
    const made = await put(id.toUpperCase());
    expect(made).toMatchObject({ ...daily, applicationId: tenant.applicationId, taskId: id });
    expect(made.lastRunAt).toBeUndefined();
    expect(made.nextRunAt?.seconds).toBeGreaterThan(BigInt(Math.floor(Date.now() / 1000)));
    expect(await get(id)).toEqual({ ...made, $typeName: "ems.evaluation.v1.GetTaskScheduleResponse" });
    const replaced = await put(id, { cron: "30 6 * * MON", timezone: undefined, criticality: LOW });
    expect(replaced).toMatchObject({ cron: "30 6 * * MON", timezone: "UTC", criticality: LOW });
    await schedules.deleteTaskSchedule({ id }, asTenant());
    const notFound = { code: Code.NotFound, rawMessage: "Schedule not found" };
    await expect(get(id)).rejects.toMatchObject(notFound);
    await expect(schedules.deleteTaskSchedule({ id }, asTenant())).rejects.toMatchObject(notFound);
  });

  test("of another tenant's task, or of a missing one, is not found", async () => {
    const id = newId();
    missingTasks.add(id);
    await expect(put(id)).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Task not found" });
    const own = newId();
    await put(own);
    await expect(schedules.getTaskSchedule({ id: own }, testCall(testTenant()))).rejects.toMatchObject({
      code: Code.NotFound,
    });
  });

  test.each([
    [{ cron: "*/5 * * * *" }, "cron"],
    [{ cron: "often" }, "cron"],
    [{ cron: "0 0 31 2 *" }, "cron"],
    [{ timezone: "Mars/Olympus" }, "timezone"],
    [{ timezone: "+02:00" }, "timezone"],
    [{ criticality: 9 }, "criticality"],
  ])("with %j is rejected with the field's name", async (request, field) => {
    const error = await put(newId(), request).catch((thrown: ConnectError) => thrown);
    const issues = error instanceof ConnectError ? issuesOfError(error) : [];
    expect(issues.map(({ path }) => path.join("."))).toEqual([field]);
  });

  test("whose criticality alone changes keeps the time that is due", async () => {
    const id = newId();
    await put(id);
    const soon = new Date(Date.now() + 3_600_000);
    await dueAt(id, soon);
    const { nextRunAt } = await put(id, { criticality: LOW });
    expect(nextRunAt?.seconds).toBe(BigInt(Math.floor(soon.getTime() / 1000)));
    expect((await put(id, { cron: "0 8 * * *" })).nextRunAt).not.toEqual(nextRunAt);
  });
});

test("of an archived task has no next time, and has it again when the task is restored", async () => {
  const id = newId();
  const { nextRunAt } = await put(id);
  archivedTasks.add(id);
  expect((await get(id)).nextRunAt).toBeUndefined();
  expect((await put(id)).nextRunAt).toBeUndefined();
  archivedTasks.delete(id);
  expect((await get(id)).nextRunAt).toEqual(nextRunAt);
});

describe("a due schedule", () => {
  test("starts one run of the task, and its next time is later", async () => {
    const id = newId();
    await put(id);
    await dueAt(id, minutesAgo(1));
    await hasRun(id);
    expect(listRuns(id)).toMatchObject([{ type: RunType.SCHEDULED, taskIds: [id] }]);
    const { nextRunAt } = await get(id);
    expect(Number(nextRunAt?.seconds)).toBeGreaterThan(Date.now() / 1000);
  });

  test("starts one run after an outage of days", async () => {
    const id = newId();
    await put(id, { cron: "*/15 * * * *" });
    await dueAt(id, minutesAgo(5 * 24 * 60));
    await hasRun(id);
    const { nextRunAt } = await get(id);
    expect(Number(nextRunAt?.seconds)).toBeGreaterThan(Date.now() / 1000);
    expect(listRuns(id)).toHaveLength(1);
  });

  test("starts one run, however many processes there are", async () => {
    const schedulers = await Promise.all([1, 2, 3].map(otherScheduler));
    const ids = Array.from({ length: 30 }, newId);
    await Promise.all(ids.map((id) => put(id)));
    await Promise.all(ids.map((id) => dueAt(id, minutesAgo(1))));
    for (const id of ids) await hasRun(id);
    expect(ids.map((id) => new Set(listRuns(id).map(({ runId }) => runId)).size)).toEqual(ids.map(() => 1));
    // Each run is started for the tenant of its schedule.
    expect(tenants).not.toContain(undefined);
    await Promise.all(schedulers.map((stop) => stop()));
  });

  test("is started again with the same id after a process died, or an answer was lost", async () => {
    const id = newId();
    await put(id);
    faults.set(id, () => unavailable());
    await dueAt(id, minutesAgo(1));
    await expect.poll(() => listRuns(id).length).toBe(1);
    faults.delete(id);
    await database.sql("UPDATE evaluation.task_schedule SET leased_until = NULL WHERE task_id = $1", [id]);
    await hasRun(id);
    const ids = listRuns(id).map(({ runId }) => runId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test("is started though a lease was taken while PostgreSQL's clock was an hour ahead", async () => {
    const [id, held] = [newId(), newId()];
    for (const task of [id, held]) await put(task);
    const lease = (task: string, length: string) =>
      database.sql(
        `UPDATE evaluation.task_schedule SET leased_until = now() + interval '${length}' WHERE task_id = $1`,
        [task],
      );
    await lease(id, "1 hour");
    await lease(held, "59 s");
    await dueAt(id, minutesAgo(1));
    await dueAt(held, minutesAgo(1));
    await hasRun(id);
    expect([listRuns(id).length, listRuns(held).length]).toEqual([1, 0]);
  });

  test("is inactive while the task cannot be tested, and continues later", async () => {
    const id = newId();
    await put(id);
    faults.set(id, () => invalidFields([{ path: ["task_ids"], message: "archived" }]));
    await dueAt(id, minutesAgo(1));
    await expect.poll(async () => Number((await get(id)).nextRunAt?.seconds)).toBeGreaterThan(Date.now() / 1000);
    expect((await get(id)).lastRunAt).toBeUndefined();
    faults.delete(id);
    await dueAt(id, minutesAgo(1));
    await hasRun(id);
    expect(new Set(listRuns(id).map(({ runId }) => runId)).size).toBe(2);
  });
});
