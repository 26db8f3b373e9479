// Schedules with three processes that run them, some of which are killed: each due time starts exactly one run.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { unlimited } from "../harness/unlimited.ts";
import { newWriterWithoutWebhook, type Writer } from "../harness/writer.ts";

const tasks = 40;
/** Daily, at an hour outside this test. */
const daily = { cron: `0 ${(new Date().getUTCHours() + 12) % 24} * * *`, timezone: "UTC", criticality: "HIGH" };
let mesh: FaultMesh;
let writer: Writer;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  mesh = await startFaultMesh(unlimited);
  for (let started = 0; started < 2; started++) stops.push(await mesh.startAnother("evaluation"));
  writer = await newWriterWithoutWebhook(mesh);
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await mesh?.close();
});

// biome-ignore lint/suspicious/noExplicitAny: answers are read by their documented fields
async function send(method: string, path: string, json?: object): Promise<any> {
  const answer = await writer.send(method, path, json);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

async function scheduledTask(number: number): Promise<string> {
  const { task } = await send("POST", "/v0/tasks", { title: `Task ${number}`, description: "Opening hours" });
  await send("PUT", `/v0/tasks/${task.id}/schedule`, daily);
  return task.id;
}

/** Makes schedules due at the same time, this many minutes after their times. */
const makeDue = (minutes: number) =>
  mesh.sql(
    "UPDATE evaluation.task_schedule SET next_run_at = now() - make_interval(mins => $2) WHERE application_id = $1",
    [...[writer.applicationId, minutes]],
  );
/** Ends all leases at once, including those of running processes. */
const endLeases = () =>
  mesh.sql(
    "UPDATE evaluation.task_schedule SET leased_until = now() WHERE application_id = $1 AND leased_until > now()",
    [writer.applicationId],
  );
const due = () =>
  mesh.sql<{ due: number }>(
    "SELECT count(*)::int AS due FROM evaluation.task_schedule WHERE application_id = $1 AND next_run_at <= now()",
    [writer.applicationId],
  );
const runs = () => mesh.sql("SELECT count(*) FROM experiments.run WHERE application_id = $1", [writer.applicationId]);
const runsByTask = () =>
  mesh.sql<{ runs: number; tasks: number }>(
    `SELECT runs, count(*)::int AS tasks FROM (SELECT task_id, count(DISTINCT run_id)::int AS runs FROM experiments.test
     WHERE application_id = $1 GROUP BY 1) t GROUP BY 1 ORDER BY 1`,
    [writer.applicationId],
  );

test("each time is one run, whatever is lost meanwhile; an outage of days is one", { timeout: 600_000 }, async () => {
  const ids = await Promise.all(Array.from({ length: tasks }, (_, number) => scheduledTask(number)));
  const losses: readonly (() => Promise<void>)[] = [
    async () => undefined,
    // Killed while holding leases, and between a start and its record.
    () => mesh.kill("evaluation").then(() => mesh.restart("evaluation")),
    () => mesh.kill("experiments").then(() => mesh.restart("experiments")),
    () => mesh.killPostgres().then(() => mesh.restartPostgres()),
  ];
  for (const [at, lose] of losses.entries()) {
    const before = await runs();
    await makeDue(at === 0 ? 1 : 3 * 24 * 60 + at);
    // Some of them have started.
    await expect.poll(runs).not.toEqual(before);
    await lose();
    await endLeases();
    await expect.poll(due, { timeout: 150_000, interval: 500 }).toEqual([{ due: 0 }]);
    expect(await runsByTask()).toEqual([{ runs: at + 1, tasks }]);
  }
  const { data } = await send("GET", `/v0/runs?taskId=${ids[0]}`);
  expect(data.map(({ type }: { type: string }) => type)).toEqual(losses.map(() => "SCHEDULED"));
});
