import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const path = "/v0/tasks/from-trace";
const ingested = async (...steps: object[]) =>
  (await api.post("/v0/ingest", { events: [{ type: "trace", steps }] })).body.data[0].id;
const question = { type: "request", content: "What does a card cost?" };
const answered = { type: "response", content: "A card costs 5 euros." };

test("a trace becomes a task that remembers it, with its tags and what definitions expect", async () => {
  const traceId = await ingested(question, answered);
  const tagIds = [(await api.post("/v0/tags", { name: "live" })).body.data.id];
  const evalIds = [(await api.post("/v0/definitions", { type: "FACT", name: "Fee" })).body.data.id];
  const first = await api.post(path, { traceId });
  expect(first).toMatchObject({
    status: 201,
    body: {
      task: { title: question.content, inputExamples: [question.content], traceId, type: "STATIC", status: "ACTIVE" },
    },
  });
  expect(first.body.task.description).toContain(answered.content);
  const more = { title: "Fee", metadata: { from: "live" }, type: "NORMAL", status: "DRAFT" };
  const second = await api.post(path, { traceId, ...more, tagIds, evalIds, answer: "EXPECTED" });
  expect(second).toMatchObject({ status: 201, body: { task: more, earlierTaskIds: [first.body.task.id] } });
  const { task } = (await api.get(`/v0/tasks/${second.body.task.id}`)).body;
  expect(task).toMatchObject({ traceId, evalDefinitions: [{ config: { expected: answered.content } }] });
  expect(task.description).not.toContain(answered.content);
  expect((await api.get(`/v0/tasks?tagId=${tagIds[0]}`)).body.data).toMatchObject([{ id: task.id, traceId }]);
});

test("a trace without a request is a conflict that says so, and wrong fields are named", async () => {
  const { status, body } = await api.post(path, { traceId: await ingested(answered) });
  expect([status, body.message]).toEqual([409, expect.stringMatching(/^The trace has no request: /)]);
  const wrong = { traceId: "a", topicId: "b", type: "LIVE", answer: "GUESS", tagIds: ["c"] };
  const issues = (await api.post(path, wrong)).body.issues.map((issue: { path: string[] }) => issue.path.join("."));
  expect(issues.sort()).toEqual(["answer", "tagIds.0", "topicId", "traceId", "type"]);
  const unlinked = await api.post(path, { traceId: newId(), answer: "EXPECTED" });
  expect(unlinked).toMatchObject({ status: 400, body: { issues: [{ path: ["evalIds"] }] } });
});
