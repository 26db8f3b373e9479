// A judge that is down measures nothing: the run, reports, the comparison, the command line, JUnit and the events agree on it.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { modelServer } from "@ems/test-support/model-server";
import { afterAll, expect, test } from "vitest";
import { Api } from "../harness/api.ts";
import { emsAs } from "../harness/cli.ts";
import { startProduct } from "../harness/product.ts";

const answer = "In Settings, choose Close account.";
const tasks = 12;

const models = await modelServer();
const judging: typeof models.respond = () => ({
  kind: "answer",
  object: { rationale: "It names Settings.", quotes: ["Settings"], choice: "Y" },
});
const application = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ output: answer }));
  });
});
await new Promise<void>((resolve) => void application.listen(0, "127.0.0.1", resolve));
const product = await startProduct("one", { env: { MODEL_ALLOW_CIDRS: "127.0.0.1/32" } });
afterAll(async () => {
  await product.remove();
  await models.close();
  application.close();
});
const { baseUrl, apiKey = "", applicationId } = product.facts;
const api = await Api.open(baseUrl, applicationId, apiKey);
const ems = emsAs({ baseUrl, apiKey, applicationId });

async function newTasks(): Promise<string[]> {
  const { port } = application.address() as AddressInfo;
  await api.post("/v0/webhook", { url: `http://127.0.0.1:${port}` });
  const connection = {
    provider: "openai-compatible",
    baseUrl: models.url,
    model: "judge",
    apiKey: "none",
    default: true,
  };
  await api.post("/v0/model-connections", { name: "Judge", ...connection });
  const definition = { type: "CUSTOM", name: "Settings", globalConfig: { criterion: "Names the settings page" } };
  const evalIds = [(await api.post("/v0/definitions", definition)).body.data.id];
  const taskIds: string[] = [];
  for (let at = 0; at < tasks; at++) {
    const task = {
      title: `Close ${at}`,
      description: "d",
      type: "STATIC",
      inputExamples: ["How do I close my account?"],
    };
    taskIds.push((await api.post("/v0/tasks", task)).body.task.id);
  }
  await api.post("/v0/definitions/link", { evalIds, taskIds });
  return taskIds;
}

const readRunId = (output: string) => /Run ([0-9a-f-]{36})/.exec(output)?.[1] ?? "";
const notMeasured = { passed: 0, failed: 0, errored: tasks, none: 0, passRate: null, averageScore: null };

test("twelve tests whose judge gives no verdict are twelve errors everywhere, and no regression", {
  retry: 0,
}, async () => {
  const taskIds = await newTasks();
  models.respond = judging;
  const good = await ems(["run", ...taskIds, "--wait"]);
  expect([good.code, good.stdout]).toEqual([0, expect.stringContaining("12 of 12 judged tests passed (100 %)")]);

  models.respond = () => ({ kind: "answer", text: "I would say yes." });
  const report = join(product.facts.dataDir, "errors.xml");
  const bad = await ems(["run", ...taskIds, "--junit", report]);
  expect(bad.code).toBe(6);
  expect(bad.stderr).toContain("12 of 12 tests could not be judged (judge 12).");
  expect(await readFile(report, "utf8")).toContain('tests="12" failures="0" errors="12" skipped="0"');

  const [before, after] = [readRunId(good.stderr), readRunId(bad.stderr)];
  const { run } = (await api.get(`/v0/runs/${after}`)).body;
  expect(run).toMatchObject({ status: "COMPLETED", summary: notMeasured });
  expect(run).not.toHaveProperty("result");
  const { data } = (await api.get(`/v0/tests?runId=${after}&outcome=ERRORED&errorCause=JUDGE`)).body;
  expect(data).toHaveLength(tasks);
  for (const each of data) {
    expect(each).toMatchObject({
      outcome: "ERRORED",
      passed: null,
      score: null,
      message: expect.stringMatching(/^\w+: /),
    });
    expect(each).not.toHaveProperty("result");
  }

  const query = (runId: string) => ({
    datasource: "test",
    timezone: "UTC",
    filters: [{ type: "string", column: "runId", operator: "eq", value: [runId] }],
    measurements: [
      { type: "avg", column: "passed" },
      { type: "sum", column: "errored" },
    ],
  });
  const report12 = (await api.post("/v0/reporting/query", query(after))).body.data.results[0];
  expect(report12).toMatchObject({ avg_passed: null, sum_errored: tasks });
  const overall = {
    ...query(after),
    filters: [{ type: "string", column: "runType", operator: "neq", value: ["EXPERIMENT"] }],
  };
  expect((await api.post("/v0/reporting/query", overall)).body.data.results[0]).toMatchObject({
    avg_passed: 1,
    sum_errored: tasks,
  });
  const task = (await api.get(`/v0/tasks/${taskIds[0]}`)).body.task;
  expect(task).toMatchObject({ passRate: 100, synthetic: { tests: 1, errored: 1 } });

  const comparison = await ems(["compare", before, after, "--json"]);
  expect(comparison.code).toBe(6);
  const { variant, difference } = JSON.parse(comparison.stdout);
  expect(variant).toMatchObject({ tests: 0, errored: tasks, passRate: null });
  expect(difference).toMatchObject({ method: "paired", notCompared: { variant: { judge: tasks }, tasks } });
  expect(difference).toHaveProperty("verdict", "not_comparable");
  expect(comparison.stderr).toContain("12 of 12 common tasks could not be judged");

  models.respond = judging;
  expect((await ems(["rerun", after, "--cause", "judge"])).stdout).toContain("12 evaluations run again");
  await expect
    .poll(async () => (await api.get(`/v0/runs/${after}`)).body.run.summary, { timeout: 60_000 })
    .toMatchObject({ passed: tasks, errored: 0, passRate: 1 });
  const measured = await ems(["compare", before, after, "--fail-worse"]);
  expect([measured.code, measured.stdout]).toEqual([0, expect.stringContaining("No difference")]);
});
