// `ems run` against `npm start` and an application that receives prompts and sends traces, right and wrong.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "@ems/kit/id";
import { afterAll, expect, test } from "vitest";
import { Api } from "../harness/api.ts";
import { emsAs } from "../harness/cli.ts";
import { startEventReceiver } from "../harness/event-receiver.ts";
import { startProduct } from "../harness/product.ts";

const receiver = await startEventReceiver();
const product = await startProduct("one", { env: { ...receiver.env } });
afterAll(async () => {
  await product.remove();
  await receiver.close();
});
const { baseUrl, apiKey = "", applicationId } = product.facts;
const api = await Api.open(baseUrl, applicationId, apiKey);
const ems = emsAs({ baseUrl, apiKey, applicationId });
await api.post("/v0/webhook", { url: receiver.url });

/** Answers open tests until stopped: sends a trace for each, with the task's title as the response. */
function answering() {
  const answered = new Set<string>();
  const answerOpen = async () => {
    const { body } = await api.get("/v0/tests?status=PENDING,IN_PROGRESS");
    const open = (body.data as { id: string; task: { title: string } }[]).filter(({ id }) => !answered.has(id));
    for (const { id, task } of open) {
      answered.add(id);
      const traceId = newId();
      const steps = [{ type: "response", id: newId(), traceId, content: task.title }];
      await api.post("/v0/ingest", { events: [{ type: "trace", traceId, testId: id, steps }] });
    }
  };
  const timer = setInterval(() => void answerOpen().catch(() => undefined), 300);
  return () => clearInterval(timer);
}

async function newTasks(...answers: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const title of answers) {
    const task = { title, description: "d", type: "STATIC", inputExamples: ["What is it?"] };
    ids.push((await api.post("/v0/tasks", task)).body.task.id);
  }
  return ids;
}

test("run --wait: exit 0 when enough tests passed, else 1, with the reasons, and JUnit XML for both", async () => {
  const taskIds = await newTasks("42", "<43> & more");
  const definition = { type: "OUTPUT_MATCH", name: "Equal", globalConfig: { type: "string" } };
  const evalIds = [(await api.post("/v0/definitions", definition)).body.data.id];
  await api.post("/v0/definitions/link", { evalIds, taskIds, config: { expected: "42" } });
  const report = join(product.facts.dataDir, "report.xml");

  const stop = answering();
  try {
    const failed = await ems(["run", ...taskIds, "--repeat", "2", "--wait", "--junit", report]);
    expect(failed.stdout).toContain("2 of 4 judged tests passed (50 %)");
    expect(failed.stdout).toMatch(/<43> & more +Equal: /);
    expect(failed.stderr).toContain("4 of 4 tests");
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("2 of 4 judged tests passed: 0.500 is under 1."),
    });
    const xml = await readFile(report, "utf8");
    expect(xml).toContain('tests="4" failures="2" errors="0" skipped="0"');
    expect(xml).toContain('classname="&lt;43&gt; &amp; more"');

    const passed = await ems(["run", ...taskIds, "--fail-under", "0.5", "--json"]);
    expect(passed.code).toBe(0);
    expect(JSON.parse(passed.stdout)).toMatchObject({ passed: 1, failed: 1, errored: 0, passRate: 0.5 });
  } finally {
    stop();
  }
});

test("run without --wait prints the run's id; a run that cannot start has its own exit code", async () => {
  const [taskId = ""] = await newTasks("unjudged");
  const { code, stdout } = await ems(["run", taskId]);
  expect(code).toBe(0);
  expect((await api.get(`/v0/runs/${stdout.trim()}`)).body.run).toMatchObject({
    type: "MANUAL",
    progress: { total: 1 },
  });
  expect((await ems(["run", newId()])).code).toBe(3);
  expect((await ems(["run", "no-id"])).code).toBe(2);
  for (const wrong of [
    ["--repeat", "21"],
    ["--fail-under", "1.5"],
    ["--fail-under", ""],
    ["--junit", "/no/such/folder/report.xml"],
  ])
    expect((await ems(["run", taskId, ...wrong])).code).toBe(2);
  expect((await api.get(`/v0/runs?taskId=${taskId}`)).body.data).toHaveLength(1);
});
