import { expect, test } from "vitest";
import { z } from "zod";
import { newClient } from "./client.ts";
import { fixtures, make } from "./fixtures.ts";
import { many, type Operation } from "./operation.ts";
import { getFaults, tryOperations } from "./page.ts";
import { listedTask, taskSchedule } from "./shapes/catalog.ts";
import { run, test as testShape } from "./shapes/experiments.ts";
import { getPage } from "./shapes/shared.ts";

const client = await newClient();
const made = await fixtures(client);
const schedule = { cron: "0 7 * * MON-FRI", timezone: "Europe/Copenhagen", criticality: "HIGH" };
const schedulePath = (id: string) => `/v0/tasks/${id}/schedule`;
await make(client, "PUT", schedulePath(made.task.id), schedule);

const operations: Record<string, Operation> = {
  "tasks.schedule.retrieve": {
    method: "GET",
    path: () => schedulePath(made.task.id),
    status: 200,
    answer: taskSchedule.extend({ nextRunAt: z.string() }),
  },
  "tasks.schedule.update": {
    method: "PUT",
    path: () => schedulePath(made.untagged.id),
    status: 200,
    answer: taskSchedule,
    required: () => ({ cron: "0 7 * * *", criticality: "LOW" }),
    optional: () => ({ timezone: "Europe/Copenhagen" }),
    echo: (answer: object) => ({ ...answer }),
  },
  "tasks.list by schedule": {
    method: "GET",
    path: () => "/v0/tasks",
    status: 200,
    answer: getPage(listedTask),
    query: { scheduleCriticality: many({ matching: ["HIGH"], none: ["MEDIUM"] }) },
  },
  "tasks.trigger": {
    method: "POST",
    path: () => "/v0/tasks/trigger",
    status: 204,
    required: () => ({ taskIds: [made.task.id] }),
    optional: () => ({ repeat: 2, simulate: false, definitionIds: [made.match.id] }),
  },
};
tryOperations(client, operations);

test("a run that was triggered is read by clients, and so are its tests", async () => {
  await client.send("POST", "/v0/tasks/trigger", { body: { taskIds: [made.untagged.id] } });
  const read = async (path: string) => (await client.send("GET", path)).body;
  const listed = z.object({ data: z.array(z.object({ id: z.string(), runId: z.string() })).min(1) });
  const [tested] = listed.parse(await read(`/v0/tests?taskId=${made.untagged.id}`)).data;
  expect(getFaults(z.object({ test: testShape }), await read(`/v0/tests/${tested?.id}`))).toEqual([]);
  expect(getFaults(z.object({ run }), await read(`/v0/runs/${tested?.runId}`))).toEqual([]);
});
