// Answers that grow with a tenant's data, up to the size limit of messages between services.

import { setTimeout as delay } from "node:timers/promises";
import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import type { Api } from "../harness/api.ts";
import { startAttacked } from "../harness/attacked-product.ts";

// In a mesh answers are gRPC messages.
const product = await startAttacked("mesh");

/** Creates a resource as a client that obeys Retry-After. */
async function made(api: Api, path: string, json: object): Promise<string> {
  for (let times = 0; times < 20; times += 1) {
    const { status, headers, body } = await api.post(path, json);
    if (status === 201) return (body.data ?? body.task).id;
    expect(status).toBe(429);
    await delay(Number(headers.get("retry-after")) * 1_000);
  }
  throw new Error(`${path} was refused again and again`);
}

test("a task has at most 100 tags, and its tags are an answer", async () => {
  const { api } = await product.tenant();
  const taskId = await made(api, "/v0/tasks", { title: "Refund", description: "Asks for a refund" });
  const description = "€".repeat(10_000);
  const tagIds: string[] = [];
  for (let count = 0; count < 110; count += 10) {
    const batch = Array.from({ length: 10 }, () => made(api, "/v0/tags", { name: newId(), description }));
    tagIds.push(...(await Promise.all(batch)));
  }
  const tag = (ids: string[]) => api.post("/v0/tasks/tags", { taskIds: [taskId], tagIds: ids });
  expect((await tag(tagIds.slice(0, 100))).status).toBe(204);
  const refused = await tag(tagIds.slice(100));
  expect([refused.status, refused.body]).toEqual([409, { message: "A task has at most 100 tags" }]);
  const answer = await api.get(`/v0/tasks/${taskId}/tags`);
  expect([answer.status, answer.body.data.length]).toEqual([200, 100]);
});

test("its own variant: a topic that shows hundreds of long definitions", async () => {
  const { api } = await product.tenant();
  const topicIds = [await made(api, "/v0/topics", { title: "Refunds" })];
  const expected = "😀".repeat(5_000);
  const evalIds: string[] = [];
  for (let count = 0; count < 250; count += 25) {
    const definition = { type: "FACT", name: "long", globalConfig: { criterion: expected } };
    const batch = Array.from({ length: 25 }, () => made(api, "/v0/definitions", definition));
    evalIds.push(...(await Promise.all(batch)));
  }
  const link = (from: number) =>
    api.post("/v0/definitions/link-topics", {
      evalIds: evalIds.slice(from, from + 100),
      topicIds,
      config: { expected },
    });
  expect((await link(0)).status).toBe(204);
  const refused = await link(100);
  expect([refused.status, refused.body]).toEqual([409, { message: "A topic has at most 100 evaluation definitions" }]);
  const answer = await api.get(`/v0/topics/${topicIds[0]}`);
  expect([answer.status, answer.body.data.evalDefinitions.length]).toEqual([200, 100]);
});
