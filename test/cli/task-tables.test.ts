// `ems tasks`: imports and exports tasks as tables, against a running product.

import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { emsAs } from "../harness/cli.ts";
import { newTenant } from "../harness/tenant.ts";

const { baseUrl } = inject("product");

async function newCli() {
  const tenant = await newTenant();
  return { ...tenant, ems: emsAs({ baseUrl, ...tenant }) };
}

test("tasks: an export is imported again as it was, and says what a table cannot hold", async () => {
  const [from, to] = [await newCli(), await newCli()];
  const directory = await mkdtemp(join(tmpdir(), "ems-tasks-"));
  for (const { api } of [from, to]) {
    for (const title of ["Fees", "Twice"]) await api.post("/v0/topics", { title });
    await api.post("/v0/tags", { name: "new; old" });
    for (const name of ["Fee", "Hours"]) await api.post("/v0/definitions", { type: "FACT", name });
  }
  const { api } = from;
  const [topic] = (await api.get("/v0/topics?title=Fees")).body.data;
  const [tag] = (await api.get("/v0/tags")).body.data;
  const [hours, fee] = (await api.get("/v0/definitions")).body.data;
  const create = async (task: object) =>
    (await api.post("/v0/tasks", { description: "d", ...task })).body.task.id as string;
  const whole = {
    title: '=1+1, "quoted"',
    description: "Two\r\nlines\u0085",
    topicId: topic.id,
    type: "STATIC",
    inputExamples: ["Cost?", "And; abroad?"],
    metadata: { deep: [1, null] },
  };
  const id = await create(whole);
  await api.send("PUT", `/v0/tasks/${id}/tags`, { json: { tagIds: [tag.id] } });
  const link = (taskId: string, definition: { id: string }, expected?: string) =>
    api.post("/v0/definitions/link", {
      evalIds: [definition.id],
      taskIds: [taskId],
      ...(expected !== undefined && { config: { expected } }),
    });
  await link(id, fee, "5 euros");
  const examples = [
    { input: "How much?", expected: ["4", "four"], metadata: { level: 1 } },
    { input: "Where; when?", expected: "Here" },
    { input: "Who?" },
  ];
  const split = await create({ title: "Split", examples });
  await link(split, fee, "5 euros");
  await link(split, hours, "9 to 5");
  await api.post(`/v0/tasks/${await create({ title: "Archived" })}/archive`);

  for (const format of ["csv", "jsonl"]) {
    const file = join(directory, `tasks.${format}`);
    expect(await from.ems(["tasks", "export", file])).toEqual({
      code: 0,
      stdout: "2 tasks were exported.\n",
      stderr: "1 task expects a list or different texts, which a table cannot hold: ems export has them.\n",
    });
    expect(await to.ems(["tasks", "import", file])).toMatchObject({ code: 0, stdout: "2 tasks were imported.\n" });
    const [taskWithAll, ...remaining] = (await to.api.get("/v0/tasks?orderBy=title&orderDir=asc")).body.data;
    const { task } = (await to.api.get(`/v0/tasks/${taskWithAll.id}`)).body;
    expect(task).toMatchObject({ ...whole, topicId: expect.not.stringContaining(topic.id) });
    expect(task.evalDefinitions).toMatchObject([{ evalDefinition: { name: "Fee" }, config: { expected: "5 euros" } }]);
    expect(taskWithAll.tags).toMatchObject([{ name: "new; old" }]);
    expect(remaining).toMatchObject([{ title: "Split", description: "d", tags: [], examples }]);
    for (const { id: imported } of [task, ...remaining]) await to.api.post(`/v0/tasks/${imported}/archive`);
  }
  const onStdout = await from.ems(["tasks", "export", "--tag", tag.id, "--topic", topic.id]);
  expect(onStdout.stderr).toBe("1 task was exported.\n");
  expect(JSON.parse(onStdout.stdout)).toMatchObject({ title: whole.title, topic: "Fees", definitions: ["Fee"] });
  expect(onStdout.stdout).not.toContain("\u0085");
  expect(await from.ems(["tasks", "export", "tasks.xlsx"])).toMatchObject({ code: 2 });
});
