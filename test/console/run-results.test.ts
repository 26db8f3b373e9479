// Tests results that lack a verdict or a cost: errored tests by cause, and model calls without a price.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { modelServer } from "@ems/test-support/model-server";
import { afterAll, expect, test } from "vitest";
import { axe, brokenRules } from "./axe.ts";
import { openConsole, whenLoaded } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const models = await modelServer();
const application = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ output: "It is free." }));
  });
});
await new Promise<void>((resolve) => void application.listen(0, "127.0.0.1", resolve));
const opened = await openConsole({ MODEL_ALLOW_CIDRS: "127.0.0.1/32" });
afterAll(async () => {
  await opened.close();
  await models.close();
  application.close();
});
const { facts, call } = opened;
const watched = pageOfEachTest(opened);

const made = async (path: string, body: unknown) => ((await call("POST", path, body)).data as { id: string }).id;

interface Recorded {
  readonly run: { readonly id: string };
  readonly testIds: readonly string[];
}

/** Records tests of one task, in a new run or an existing one. */
async function record(tests: readonly object[], runId?: string): Promise<Recorded> {
  const [task] = (await call("GET", "/v0/tasks?limit=1")).data as { id: string }[];
  const body = { runId, tests: tests.map((each) => ({ taskId: task?.id, ...each })) };
  return (await call("POST", "/v0/tests/results", body)) as unknown as Recorded;
}

async function answer(testId: string | undefined, step: object = {}): Promise<string> {
  const steps = [
    { type: "request", content: "What does a card cost?" },
    { type: "llm", event: "end", name: "answer", input: "cost", output: "free", ...step },
    { type: "response", content: "Nothing." },
  ];
  const { data } = await call("POST", "/v0/ingest", { events: [{ type: "trace", testId, steps }] });
  return (data as { id: string }[])[0]?.id ?? "";
}

/** Runs two tasks, whose judge answers with text that is no verdict. Returns the ids of run and evaluator. */
async function runWithoutVerdicts() {
  const { port } = application.address() as AddressInfo;
  await call("POST", "/v0/webhook", { url: `http://127.0.0.1:${port}` });
  const connection = { provider: "openai-compatible", baseUrl: models.url, model: "judge", apiKey: "none" };
  await made("/v0/model-connections", { name: `Judge ${Date.now()}`, ...connection, default: true });
  const criterion = { type: "CUSTOM", name: "Free", globalConfig: { criterion: "Says that it is free." } };
  const definitionId = await made("/v0/definitions", criterion);
  const taskIds: string[] = [];
  for (const title of ["Card", "Account"]) {
    const body = { title, description: "A price", type: "STATIC", inputExamples: [`What does a ${title} cost?`] };
    taskIds.push(((await call("POST", "/v0/tasks", body)).task as { id: string }).id);
  }
  models.respond = () => ({ kind: "answer", text: "I would say yes." });
  await call("POST", "/v0/tasks/trigger", { taskIds, definitionIds: [definitionId] });
  const [run] = (await call("GET", "/v0/runs?limit=1")).data as { id: string }[];
  const runId = run?.id ?? "";
  const readRun = async () => (await call("GET", `/v0/runs/${runId}`)).run;
  await expect.poll(readRun, { timeout: 60_000 }).toMatchObject({ status: "COMPLETED", summary: { errored: 2 } });
  return { runId, definitionId };
}

test("errored tests are counted by cause, and each cause has the action that helps", async () => {
  const { page } = watched;
  const { runId, definitionId } = await runWithoutVerdicts();
  const message = "no_model_connection: The application has no model connection";
  await record([{ evaluations: [{ definitionId, status: "FAILED", message }] }, { status: "FAILED" }], runId);

  await page.goto(`${facts.baseUrl}/runs/${runId}`);
  const causes = page.getByRole("list", { name: "Errored tests by cause" });
  const row = (text: string) => causes.getByRole("listitem").filter({ hasText: text });
  const unanswered = row("Application: 1 test");
  await unanswered.getByRole("button", { name: "Rerun 1 task with application errors" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const fix = row("Configuration: 1 test").getByRole("link");
  expect(await fix.getAttribute("href")).toBe("/settings/models");
  await whenLoaded(page);
  await page.evaluate(axe);
  expect(await brokenRules(page)).toEqual([]);
  await causes.getByRole("button", { name: "Judge: 2 tests" }).click();
  await page.waitForURL(/errorCause=JUDGE/);

  const object = { rationale: "It does.", quotes: ["free"], choice: "Y" };
  models.respond = () => ({ kind: "answer", object });
  const rerun = page.waitForRequest((request) => request.url().endsWith("/v0/evals/rerun"));
  await row("Judge").getByRole("button", { name: "Re-score judge errors" }).click();
  expect((await rerun).postDataJSON()).toEqual({ runId, errorCause: ["JUDGE"] });
  await page.getByText("2 evaluations", { exact: true }).waitFor();
  await row("Judge").waitFor({ state: "detached" });
  await unanswered.waitFor();
  const readSummary = async () => ((await call("GET", `/v0/runs/${runId}`)).run as { summary: unknown }).summary;
  await expect.poll(readSummary, { timeout: 60_000 }).toMatchObject({ passed: 2, errored: 2 });
});

test("a test, lists and a report lead to the price of a model that has none", async () => {
  const { page } = watched;
  const usage = { promptTokens: 1200, completionTokens: 300 };
  // Use a unique model, because the test may be retried.
  const model = `own-model-${Date.now()}`;
  const { testIds } = await record([{ passed: true }]);
  await answer(testIds[0], { modelId: model, usage });
  const readUsage = async () => ((await call("GET", `/v0/tests/${testIds[0]}`)).test as { usage: unknown }).usage;
  await expect.poll(readUsage).toMatchObject({ unpricedSteps: 1 });

  await page.goto(`${facts.baseUrl}/reports?source=test&measure=sum:cost&timezone=UTC`);
  await page.getByText("Costs lack steps without a price.").waitFor();
  await page.evaluate(axe);
  expect(await brokenRules(page)).toEqual([]);
  await page.goto(`${facts.baseUrl}/reports?source=test&measure=count&timezone=UTC`);
  await whenLoaded(page);
  expect(await page.getByText("Costs lack steps without a price.").count()).toBe(0);
  await page.goto(`${facts.baseUrl}/tests`);
  await page.getByRole("link", { name: "No price" }).first().waitFor();
  await page.goto(`${facts.baseUrl}/traces`);
  const inList = page.getByRole("link", { name: "No price" }).first();
  expect(await inList.getAttribute("href")).toBe(`/settings/model-prices?model=${model}`);

  await page.goto(`${facts.baseUrl}/tests/${testIds[0]}`);
  await page.getByText("1,200 in, 300 out").waitFor();
  await page.getByRole("link", { name: "1 step: set model prices" }).click();
  const form = page.getByRole("form", { name: "Model prices" });
  const price = form.getByRole("group").last();
  expect(await price.getByLabel("Model").inputValue()).toBe(model);
  await price.getByLabel("Input", { exact: false }).first().and(page.locator(":focus")).waitFor();
  await page.keyboard.type("2.5");
  await price.getByLabel("Output").fill("10");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("Saved: new steps have these prices").waitFor();
  const { data } = (await call("GET", "/v0/model-prices")) as { data: { prices: object[] } };
  expect(data.prices).toContainEqual(expect.objectContaining({ model, inputPerMillion: 2.5, outputPerMillion: 10 }));
  await page.reload();
  await form.getByText(`${model}: priced.`).waitFor();
});
