// Tests experiments with an application whose answers depend on its configuration, and comparisons of runs.

import { newId } from "@ems/kit/id";
import type { Page } from "playwright-core";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openConsole } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";
import {
  answeringApplication,
  completedExperiment,
  sampleExperiment,
  taskCount,
  unlinkModels,
} from "./sample-experiment.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
const watched = pageOfEachTest(opened);

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const cells = (page: Page, table: string, row: string) =>
  page.getByRole("region", { name: table, exact: true }).getByRole("row").filter({ hasText: row }).getByRole("cell");

test("two selected runs are compared with the older one as the baseline, and can be swapped", async () => {
  const { page } = watched;
  const { baseline, colder } = await completedExperiment(call);
  const [baselineName, colderName] = await Promise.all([baseline, colder].map(nameOfRun));
  await page.goto(`${facts.baseUrl}/runs`);
  await page.getByRole("checkbox", { name: `Select ${colderName}` }).check();
  await page.getByText("Select two runs to compare").waitFor();
  await page.getByRole("checkbox", { name: `Select ${baselineName}` }).check();
  await page.getByRole("link", { name: "Compare" }).click();
  await title(page, "Compare runs");
  expect(page.url()).toBe(`${facts.baseUrl}/runs/compare?a=${baseline}&b=${colder}`);
  await page.getByText("Better by 25 points at 24 common tasks.").first().waitFor();
  const overall = cells(page, "Run comparison", "All tests");
  expect(await overall.allInnerTexts()).toEqual([
    expect.stringMatching(/^67 %\s+n = 24$/),
    expect.stringMatching(/^92 %\s+n = 24$/),
    expect.stringMatching(/^\+25 points\s+Better by 25 points at 24 common tasks\.$/),
  ]);
  await page.getByText(`6 tasks fixed in ${colderName}, 0 regressed.`).waitFor();
  const changed = page.getByRole("region", { name: "Fixed and regressed tasks" }).getByRole("row");
  expect(await changed.count()).toBe(7);
  await page.getByRole("link", { name: "Swap" }).click();
  await page.getByText("Worse by 25 points at 24 common tasks.").first().waitFor();
  await changed.nth(1).getByRole("link", { name: "Failed" }).click();
  await page.waitForURL(/\/tests\//);
});

async function nameOfRun(id: string): Promise<string> {
  const { run } = (await call("GET", `/v0/runs/${id}`)) as { run: { name: string } };
  return run.name;
}

test("the comparison asks for two runs and reports a missing run", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/runs/compare`);
  await page.getByRole("heading", { name: "Select two runs" }).waitFor();
  await page.goto(`${facts.baseUrl}/runs/compare?a=${newId()}&b=${newId()}`);
  await page.getByRole("alert").getByText("Run not found").waitFor();
  await page.getByRole("link", { name: "Runs", exact: true }).first().click();
  await title(page, "Runs");
});

test("a baseline and variants are created, run and compared task by task, and one is promoted", async () => {
  const { page } = watched;
  const externalId = newId();
  const application = await answeringApplication(externalId);
  onTestFinished(application.close);
  await call("POST", "/v0/webhook", { url: application.url });
  await unlinkModels(call);
  const { id } = await sampleExperiment(call, externalId, "From the console");
  await page.goto(`${facts.baseUrl}/experiments/${id}`);
  await page.getByRole("heading", { name: "No variants yet" }).waitFor();
  await page.getByRole("button", { name: "New baseline" }).click();
  const dialog = page.getByRole("dialog");
  const config = dialog.getByRole("textbox", { name: "Configuration" });
  expect(JSON.parse(await config.inputValue())).toEqual({ [externalId]: {} });
  await config.fill("{");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Enter valid JSON").waitFor();
  await config.fill(JSON.stringify({ other: { temperature: 1 } }));
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("No inference step of the experiment has this externalId").first().waitFor();
  await config.fill(JSON.stringify({ [externalId]: { temperature: 1, model: "assistant-4" } }));
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.waitFor({ state: "detached" });

  const create = async (name: string, parameter: string, kind: string, value: string) => {
    await page.getByRole("button", { name: "New variant" }).click();
    await dialog.getByLabel("Title").fill(name);
    await dialog.getByRole("combobox", { name: "Parameter" }).fill(parameter);
    // Tab closes the suggestions.
    await page.keyboard.press("Tab");
    await dialog.getByText(kind, { exact: true }).click();
    await dialog.getByRole("textbox", { name: "New value" }).fill(value);
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await create("Colder", "temperature", "Number or JSON", "0.9");
  await page.getByRole("button", { name: "Edit Colder" }).click();
  expect(await dialog.getByRole("combobox", { name: "Branches from" }).isDisabled()).toBe(true);
  expect(await dialog.getByRole("combobox", { name: "Parameter" }).inputValue()).toBe("temperature");
  await dialog.getByLabel("Description").fill("Less chance");
  await dialog.getByRole("textbox", { name: "New value" }).fill("0");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await create("Another model", "model", "Text", "assistant-5");
  await page.getByText("temperature = 0").waitFor();
  expect(await page.getByRole("button", { name: "Run Colder" }).isDisabled()).toBe(true);
  await page.getByText("Run both variants to compare them.").waitFor();

  const run = async (name: string) => {
    await page.getByRole("button", { name: `Run ${name}` }).click();
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const column = page.getByRole("columnheader", { name });
    await column.getByText("Completed").waitFor({ timeout: 60_000 });
  };
  await run("Baseline");
  const cell = (at: number) => cells(page, "Variants", "All tests").nth(at);
  await cell(0).getByText(`n = ${taskCount}`).waitFor();
  await run("Colder");
  await cell(2).getByText("Better by 25 points at 24 common tasks.").waitFor();
  const release = application.hold();
  await page.getByRole("button", { name: "Run Another model" }).click();
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("button", { name: "Stop Another model" }).click();
  await page.getByText("Stopped", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Resume Another model" }).click();
  await page.getByText("Stopped", { exact: true }).waitFor({ state: "detached" });
  release();
  await cell(4).getByText("No difference: the pass rate of each of 24 common tasks is the same.").waitFor();
  // Four elements are completed: the experiment and its three variants.
  await page.getByText("Completed", { exact: true }).nth(3).waitFor();

  await page.getByRole("link", { name: "Another model" }).click();
  await page.waitForURL(/variant=/);
  await page.getByText("No task changed: each common task passed in both, or failed in both.").waitFor();
  await page.locator("ins").filter({ hasText: "5" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Another model vs. the baseline" }).waitFor();
  await page.getByRole("link", { name: "Colder" }).click();
  await page.getByText("6 tasks fixed in Colder, 0 regressed.").waitFor();

  await page.getByRole("button", { name: "Detect 5 points" }).click();
  await page.getByRole("menuitem", { name: "20 points" }).click();
  await page.locator("dt").filter({ hasText: "Tasks needed to detect 20 pts" }).waitFor();
  await page.getByRole("button", { name: "Compare with" }).click();
  await page.getByRole("menuitem", { name: "Another model" }).click();
  await page.getByText("Compared with Another model, task by task").waitFor();
  await page.getByRole("heading", { name: "Colder vs. Another model" }).waitFor();
  await cell(4).getByText("Better by 25 points at 24 common tasks.").waitFor();
  await cell(2).getByText("No difference").waitFor();
  expect(new URL(page.url()).searchParams.get("detect")).toBe("20");
  await page.getByRole("button", { name: "Compare with" }).click();
  await page.getByRole("menuitem", { name: "Baseline" }).click();
  await page.getByRole("button", { name: "Edit Colder" }).click();
  await dialog.getByText("Configuration locked").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Promote Colder" }).click();
  await dialog.getByRole("button", { name: "Promote", exact: true }).click();
  await page.getByRole("columnheader", { name: "Colder" }).getByText("Promoted").waitFor();
  expect(await page.getByRole("button", { name: "Reject Colder" }).count()).toBe(0);
  await page.getByRole("button", { name: "Reject Another model" }).click();
  await dialog.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByRole("columnheader", { name: "Another model" }).waitFor({ state: "detached" });
  await page.getByText("Showing 1 of 2 variants").waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await dialog.getByLabel("Title").waitFor();
  expect(await dialog.getByRole("combobox", { name: "Tasks" }).count()).toBe(0);
  const { data } = await call("GET", `/v0/experiments/${id}`);
  const { data: variants } = await call("GET", `/v0/experiments/${id}/variants?orderBy=createdAt&orderDir=asc`);
  expect(variants).toMatchObject([{ title: "Baseline" }, { title: "Colder" }, { status: "REJECTED" }]);
  expect(data).toMatchObject({ status: "COMPLETED", promotedVariantId: (variants as { id: string }[])[1]?.id });
});

test("steps can be added to an experiment later, and its tasks are kept", async () => {
  const { page } = watched;
  const externalId = newId();
  const made = async (path: string, body: unknown) => ((await call("POST", path, body)).data as { id: string }).id;
  const step = await made("/v0/inference-steps", { title: `Step ${externalId}`, type: "LLM", externalId });
  const { data: tasks } = await call("GET", "/v0/tasks?limit=1&orderBy=title&orderDir=asc");
  const taskIds = (tasks as { id: string }[]).map(({ id }) => id);
  const id = await made("/v0/experiments", { title: "Not thought through", taskIds });
  await page.goto(`${facts.baseUrl}/experiments/${id}`);
  await page.getByText("No steps yet").waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Inference steps" }).fill(externalId);
  await page.getByRole("option", { name: `Step ${externalId}` }).click();
  // A click elsewhere closes the list of steps.
  await dialog.getByLabel("Title").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("cell", { name: `Step ${externalId}` }).waitFor();
  const { data } = await call("GET", `/v0/experiments/${id}`);
  expect(data).toMatchObject({ inferenceStepIds: [step], taskIds });
});
