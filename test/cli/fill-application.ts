// An application with a resource of every type.

import { newId } from "@ems/kit/id";
import { expect } from "vitest";
import type { Api } from "../harness/api.ts";

/** Sends a request that succeeds, and returns its response. */
export const made = async (api: Api, path: string, json: unknown) => {
  const { status, body } = await api.post(`/v0/${path}`, json);
  expect([path, status < 300, body]).toEqual([path, true, body]);
  return body;
};

/** Creates a resource of every type, in every state that the API offers. */
export async function fill(api: Api): Promise<void> {
  const create = async (path: string, json: unknown) => {
    const body = await made(api, path, json);
    return (body.data ?? body.task ?? body.document).id as string;
  };
  const put = async (path: string, json: unknown) =>
    expect((await api.send("PUT", `/v0/${path}`, { json })).status).toBe(200);
  const tags = [await create("tags", { name: "keep", color: "#112233" }), await create("tags", { name: "old" })];
  const topics = [
    await create("topics", { title: 'Quotes "and"\nlines \u2028 🙂', baseline: 0.25, status: "DRAFT" }),
    await create("topics", { title: "Gone" }),
  ];
  await put(`topics/${topics[0]}`, { isInScope: false, isPoliciesVerified: true, assignedTo: "ann@example.com" });
  const tasks = [
    await create("tasks", {
      title: "Static",
      description: "d",
      type: "STATIC",
      prompts: ["a", "b"],
      topicId: topics[0],
    }),
    await create("tasks", { title: "Draft", description: "d", status: "DRAFT" }),
    await create("tasks", { title: "Archived", description: "d", topicId: topics[1] }),
  ];
  await put(`tasks/${tasks[0]}`, { isVerified: true });
  await made(api, "tasks/tags", { taskIds: tasks, tagIds: tags });

  const document = await create("documents", { title: "One", content: "1", topicId: topics[0], assignee: "ann" });
  const metadata = { source: "crawler", depth: [1, { deep: null }] };
  const second = { title: "Two", content: "2", language: "de", status: "ACTIVE", metadata, originalSentences: ["2."] };
  for (const version of [second, { title: "Three", content: "3", status: "REVIEW" }])
    await made(api, `documents/${document}/versions`, version);
  await put(`documents/${document}/versions/2/activate`, {});

  await put(`documents/${document}/tags`, { tagIds: tags });
  await create("documents", {
    title: "Rules",
    content: "r",
    type: "POLICY",
    documentStatus: "DRAFT",
    scrapeJobId: "j",
  });

  const fact = { sourceDocumentId: document, sourceQuote: "1", generatedBy: "m", isVerified: true };
  await create("facts", { statement: "True", scope: "TOPIC", ...fact, topicIds: topics });
  await create("facts", { statement: "Everywhere", scope: "APPLICATION", status: "DRAFT" });

  const styleGuideId = await create("style-guides", { content: [{ heading: "h", content: "c", approved: true }] });
  const style = { type: "STYLE", name: "Style", styleGuideId };
  const evalIds = [
    await create("definitions", style),
    await create("definitions", { type: "CUSTOM", name: "Own", globalConfig: { criterion: "c" } }),
  ];
  await made(api, "definitions/link-application", { evalIds: evalIds.slice(0, 1) });
  await made(api, "definitions/link-topics", { evalIds, topicIds: topics.slice(0, 1), config: { expected: "x" } });
  await made(api, "definitions/link-topics", { evalIds: evalIds.slice(1), topicIds: topics.slice(1) });
  await made(api, "definitions/link", { evalIds: evalIds.slice(1), taskIds: [tasks[2], tasks[0]] });

  const inferenceStepIds = [
    await create("inference-steps", { title: "Ask", type: "LLM" }),
    await create("inference-steps", { title: "Look", type: "RETRIEVER", externalId: "e", description: "d" }),
  ];
  const experiment = { title: "E", description: "d", inferenceStepIds, taskIds: tasks, assignee: "bob" };
  await put(`experiments/${await create("experiments", experiment)}`, { status: "RUNNING" });
  await create("experiments", { title: "Bare" });
  const compared = await create("experiments", { title: "Models", taskIds: tasks.slice(0, 1), inferenceStepIds });
  const variants = `experiments/${compared}/variants`;
  const configPatch = { e: { model: "m", limit: 3 } };
  const baseline = await create(variants, { title: "Baseline", description: "unchanged", configPatch });
  const fewer = await create(variants, { title: "Fewer", configPatch: { e: { limit: 1 } } });
  const branch = await create(variants, { title: "Branch", configPatch: { e: { model: "n" } }, parentId: fewer });
  for (const experimentVariantId of [baseline, fewer])
    await made(api, "tests/results", { run: { experimentVariantId }, tests: [{ taskId: tasks[0], passed: true }] });
  await made(api, `${variants}/${fewer}/promote`, {});
  await made(api, `${variants}/${branch}/reject`, {});
  await put(`experiments/${compared}`, { status: "ARCHIVED" });

  const quickstart = await create("quickstarts", { title: "Q" });
  const assignments = ["KB_REVIEW", "TASKS_TOPICS_REVIEW"].map((stage) => ({
    stage,
    topicId: topics[0],
    assignedTo: "c",
  }));
  await made(api, `quickstarts/${quickstart}/assignments/bulk`, { assignments });
  const contradictions = ["one", "two"].map((reason) => ({
    documentTestId: newId(),
    documentAId: document,
    documentBId: newId(),
    reason,
    passageA: "a",
    passageB: "b",
  }));
  const { data } = await made(api, `quickstarts/${quickstart}/contradictions`, { contradictions });
  await put(`quickstarts/${quickstart}/contradictions/${data[0].id}`, { resolved: true, assignedTo: "d" });

  const createdAt = "2026-03-29T01:30:00.123Z";
  const evaluations = [
    { definitionId: evalIds[0], score: 1, passed: false },
    { definitionId: evalIds[1], status: "FAILED" },
  ];
  const tests = [
    { taskId: tasks[0], score: 0.123456, passed: true, durationMs: 0, createdAt, evaluations },
    { taskId: tasks[2], status: "PENDING", createdAt: "2026-03-29T01:30:00.124Z" },
  ];
  await made(api, "tests/results", { run: { type: "MONITORING", title: "Night" }, tests });

  await made(api, `tags/${tags[1]}/archive`, {});
  await made(api, `topics/${topics[1]}/archive`, { cascade: true });
}
