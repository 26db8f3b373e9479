// `ems export` and `ems import`: an import restores everything that was exported, with other ids.

import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@ems/kit/id";
import { afterAll, expect, inject, test, vi } from "vitest";
import type { Api } from "../harness/api.ts";
import { emsAs, withoutIds } from "../harness/cli.ts";
import { newTenant } from "../harness/tenant.ts";

// Each run of `ems` starts a process.
vi.setConfig({ testTimeout: 120_000 });

const { baseUrl } = inject("product");
const dir = await mkdtemp(join(tmpdir(), "ems-test-transfer-"));
afterAll(() => rm(dir, { recursive: true }));

async function newCli() {
  const tenant = await newTenant();
  return { ...tenant, ems: emsAs({ baseUrl, ...tenant }) };
}

const made = async (api: Api, path: string, json: unknown) => {
  const { status, body } = await api.post(`/v0/${path}`, json);
  expect([path, status < 300, body]).toEqual([path, true, body]);
  return body;
};

/** Creates a resource of every type, in every state that the API offers. */
async function fill(api: Api): Promise<void> {
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
  await put(`topics/${topics[0]}`, { isInScope: false, isPoliciesVerified: true, assignedTo: "somebody@else" });
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
  const baseline = await create(variants, { title: "Baseline", description: "as it is", configPatch });
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

test("a round trip is identical except ids, and importing once more changes nothing", async () => {
  const [from, to] = [await newCli(), await newCli()];
  await fill(from.api);
  const file = join(dir, "all.ndjson");
  const written = await from.ems(["export", file, "--json"]);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(written.stdout)).toMatchObject({
    tag: 2,
    topic: 2,
    task: 3,
    tagging: 2,
    document: 2,
    fact: 2,
    experiment: 3,
    variant: 3,
    run: 3,
  });
  const text = await readFile(file, "utf8");
  expect(text).toMatch(/"name":"Own".*"taskIds":\["[^"]+","[^"]+"\]/);
  expect((await from.ems(["export"])).stdout).toBe(text);

  // An import of truncated input, repeated with the whole file.
  const lines = text.trim().split("\n");
  const half = await to.ems(["import"], { stdin: `${lines.slice(0, lines.length / 2).join("\n")}\n{` });
  expect(half).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Line \d+: not JSON\n$/) });
  for (const pattern of [/^(\d+) of (?!\1 )\d+ changes were made/, /^(\d+) of \1 changes were made/]) {
    const read = await to.ems(["import", file, "--json"]);
    expect(read).toEqual({ ...written, stderr: expect.stringMatching(pattern) });
    const back = await to.ems(["export"]);
    expect(withoutIds(back.stdout)).toEqual(withoutIds(text));
  }
});

test("a run of more tests than a page has is exported whole", async () => {
  const { api, ems } = await newCli();
  const { task } = await made(api, "tasks", { title: "t", description: "d" });
  const newTests = (from: number) =>
    Array.from({ length: 1_000 }, (_, at) => ({ taskId: task.id, durationMs: from + at }));
  const { run } = await made(api, "tests/results", { tests: newTests(0) });
  await made(api, "tests/results", { runId: run.id, tests: newTests(1_000) });
  await made(api, "tests/results", { runId: run.id, tests: newTests(2_000).slice(0, 7) });
  const lines = (await ems(["export"])).stdout.trim().split("\n");
  const { data } = JSON.parse(lines.at(-1) ?? "");
  const durations = data.tests.map(({ durationMs }: { durationMs: number }) => durationMs);
  expect(durations.sort((a: number, b: number) => a - b)).toEqual(Array.from({ length: 2_007 }, (_, at) => at));
});

test("an empty application is an export of one line, and a file of something else is refused", async () => {
  const { ems } = await newCli();
  const empty = await ems(["export"]);
  expect(empty.stdout).toBe('{"kind":"ems-export","version":1}\n');
  expect(await ems(["import"], { stdin: empty.stdout })).toMatchObject({ code: 0 });
  expect(await ems(["import"], { stdin: "" })).toMatchObject({ code: 2 });
  expect(await ems(["import"], { stdin: '{"kind":"ems-export","version":2}\n' })).toMatchObject({ code: 2 });
  for (const data of ["null", '{"title":"no tests"}']) {
    const stdin = `${empty.stdout}{"kind":"run","id":"r","data":${data}}\n`;
    expect(await ems(["import"], { stdin })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Line 2: not a (complete run )?record/),
    });
  }
  const dangling = { kind: "task", id: "t", data: { title: "t", description: "d", status: "ACTIVE", topicId: "away" } };
  const refused = await ems(["import"], { stdin: `${empty.stdout}${JSON.stringify(dangling)}\n` });
  expect(refused).toMatchObject({
    code: 1,
    stderr: "Line 2: it refers to topic away, which no earlier line defines\n",
  });
});

test("an export that fails leaves no file that looks whole", async () => {
  const { ems } = await newCli();
  const file = join(dir, "failed.ndjson");
  expect(await ems(["export", file], { env: { EMS_API_KEY: "ems_nobody" } })).toMatchObject({ code: 4 });
  expect((await readdir(dir)).filter((name) => name.startsWith("failed"))).toEqual([]);
  const away = await ems(["export", join(dir, "away", "failed.ndjson")]);
  expect(away).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^ENOENT: .*\n$/) });
});

test("an export goes into a link as it comes, and leaves the link where it was", async () => {
  const { ems } = await newCli();
  const [target, link] = [join(dir, "linked.ndjson"), join(dir, "link.ndjson")];
  await writeFile(target, "");
  await symlink(target, link);
  expect(await ems(["export", link])).toMatchObject({ code: 0, stderr: "" });
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, "utf8")).toBe('{"kind":"ems-export","version":1}\n');
});
