import { expect, test } from "vitest";
import { z } from "zod";
import { newClient } from "./client.ts";
import { fixtures, make } from "./fixtures.ts";
import { many, type Operation, order } from "./operation.ts";
import { tryOperations } from "./page.ts";
import { changedTask, listedTask, retrievedTask } from "./shapes/catalog.ts";
import { getPage } from "./shapes/shared.ts";

const client = await newClient();
const made = await fixtures(client);
const newTask = async () =>
  (await make(client, "POST", "/v0/tasks", { title: "New", description: "A task", topicId: made.topic.id })).task.id;
const getTask = (answer: { task: object }) => ({ ...answer.task });
const levels = { any: ["HIGH", "MEDIUM", "LOW"] };

const tasks: Record<string, Operation> = {
  "tasks.create": {
    method: "POST",
    path: () => "/v0/tasks",
    status: 201,
    answer: z.object({ task: changedTask }),
    required: () => ({ title: "Ask for a card", description: "A customer wants a card" }),
    optional: () => ({
      inputExamples: ["Can I have a card?"],
      metadata: { source: "import", nested: { a: [1, null] } },
      quickstartId: made.quickstart.id,
      simulatedPromptSchema: { type: "object", properties: { city: { type: "string" } } },
      topicId: made.topic.id,
      type: "NORMAL",
    }),
    echo: getTask,
    notEchoed: ["quickstartId"],
  },
  "tasks.create, static": {
    method: "POST",
    path: () => "/v0/tasks",
    status: 201,
    answer: z.object({ task: changedTask }),
    required: () => ({ title: "Static", description: "Fixed prompts", inputExamples: ["Hello", "Hi"], type: "STATIC" }),
    echo: getTask,
  },
  "tasks.retrieve": {
    method: "GET",
    path: () => `/v0/tasks/${made.task.id}`,
    status: 200,
    answer: z.object({ task: retrievedTask }),
  },
  "tasks.update": {
    method: "PUT",
    path: async () => `/v0/tasks/${await newTask()}`,
    status: 200,
    answer: z.object({ task: changedTask }),
    required: () => ({ title: "Changed" }),
    optional: () => ({
      deleteEmptySourceTopic: false,
      description: "changed",
      inputExamples: ["Another one"],
      isVerified: true,
      metadata: { changed: true },
      simulatedPromptSchema: { type: "object" },
      topicId: made.emptyTopic.id,
    }),
    echo: getTask,
    notEchoed: ["deleteEmptySourceTopic"],
  },
  "tasks.list": {
    method: "GET",
    path: () => "/v0/tasks",
    status: 200,
    answer: getPage(listedTask),
    query: {
      orderBy: order("createdAt", "modifiedAt", "title", "status", "type", "lastTest", "id"),
      confidenceLevel: many(levels),
      healthScoreLevel: many(levels),
      stabilityLevel: many(levels),
      scheduleCriticality: many({ none: ["HIGH", "MEDIUM", "LOW"] }),
      evalDefinitionId: many({ matching: [made.match.id] }),
      definitionId: { matching: [made.match.id] },
      search: { matching: ["ask", "FEE"], none: ["nothing of this"] },
      status: many({ matching: ["success", "error", "no-tests", "ACTIVE"], none: ["warning"] }),
      tagId: many({ matching: [made.tag.id] }),
      topicId: many({ matching: [made.topic.id], none: ["00000000-0000-0000-0000-000000000000"] }),
    },
  },
};

tryOperations(client, tasks);

test("null clears what an update can clear", async () => {
  const path = `/v0/tasks/${await newTask()}`;
  await make(client, "PUT", path, { metadata: { a: 1 }, simulatedPromptSchema: { type: "object" } });
  const { task } = await make(client, "PUT", path, { metadata: null, simulatedPromptSchema: null, topicId: null });
  expect(task.metadata).toEqual({});
  expect([task.simulatedPromptSchema ?? null, task.topicId ?? null]).toEqual([null, null]);
});

test("a linked definition is part of its task, with the link's configuration", async () => {
  const { task } = await make(client, "GET", `/v0/tasks/${made.task.id}`);
  const direct = task.evalDefinitions.filter(
    ({ evalDefinition }: { evalDefinition: { id: string } }) => evalDefinition.id === made.match.id,
  );
  expect(direct).toMatchObject([{ config: { expected: "42" } }]);
  expect(task.synthetic).toMatchObject({ tests: 1, testsPassed: 1, passRate: 100 });
  expect(task.monitoring).toMatchObject({ tests: 1, testsPassed: 1 });
});

test("a task that moves away deletes its empty topic on request", async () => {
  const topic = (await make(client, "POST", "/v0/topics", { title: "Left" })).data;
  const { task } = await make(client, "POST", "/v0/tasks", { title: "a", description: "b", topicId: topic.id });
  await make(client, "PUT", `/v0/tasks/${task.id}`, { topicId: made.topic.id, deleteEmptySourceTopic: true });
  expect(await client.send("GET", `/v0/topics/${topic.id}`)).toMatchObject({ status: 404 });
});
