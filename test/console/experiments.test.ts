// Experiments with an application that answers by its configuration, and runs beside each other.

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

test("two runs of the list are compared: the older one is the baseline, until they are swapped", async () => {
  const { page } = watched;
  const { baseline, colder } = await completedExperiment(call);
  await page.goto(`${facts.baseUrl}/runs`);
  await page.getByRole("checkbox", { name: `Select run ${colder}` }).check();
  await page.getByText("Select two to compare them").waitFor();
  await page.getByRole("checkbox", { name: `Select run ${baseline}` }).check();
  await page.getByRole("link", { name: "Compare" }).click();
  await title(page, "Compare runs");
  expect(page.url()).toBe(`${facts.baseUrl}/runs/compare?a=${baseline}&b=${colder}`);
  await page.getByText("Better by 25 points at 24 common tasks.").first().waitFor();
  const overall = cells(page, "Comparison of the runs", "All tests");
  expect(await overall.allInnerTexts()).toEqual([
    expect.stringMatching(/^67 %\s+n = 24$/),
    expect.stringMatching(/^92 %\s+n = 24$/),
    expect.stringMatching(/^\+25 points\s+Better by 25 points at 24 common tasks\.$/),
  ]);
  await page.getByText("6 tasks passed only in Fewer wrong prices: Colder, 0 only in").waitFor();
  const changed = page.getByRole("region", { name: "Tasks that changed sides" }).getByRole("row");
  expect(await changed.count()).toBe(7);
  await page.getByRole("link", { name: "Swap" }).click();
  await page.getByText("Worse by 25 points at 24 common tasks.").first().waitFor();
  await changed.nth(1).getByRole("link", { name: "Not passed" }).click();
  await page.waitForURL(/\/tests\//);
});

test("without two runs there is something to do, and a run that is gone is told", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/runs/compare`);
  await page.getByRole("heading", { name: "Two runs are needed" }).waitFor();
  await page.goto(`${facts.baseUrl}/runs/compare?a=${newId()}&b=${newId()}`);
  await page.getByRole("alert").getByText("Run not found").waitFor();
  await page.getByRole("link", { name: "Runs", exact: true }).first().click();
  await title(page, "Runs");
});

test("from a baseline to a variant that is better: created, run, compared, and looked at task by task", async () => {
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
  await dialog.getByText("This is not JSON").waitFor();
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
    // Closes what it suggests.
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
  await page.getByText("Nothing to compare before both were run.").waitFor();

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
  // The experiment and its three variants.
  await page.getByText("Completed", { exact: true }).nth(3).waitFor();

  await page.getByRole("link", { name: "Another model" }).click();
  await page.waitForURL(/variant=/);
  await page.getByText("Each task that both were tested with passed in both, or in neither.").waitFor();
  await page.locator("ins").filter({ hasText: "5" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Another model, beside the baseline" }).waitFor();
  await page.getByRole("link", { name: "Colder" }).click();
  await page.getByText("6 tasks passed only in Colder, 0 only in Baseline.").waitFor();

  await page.getByRole("button", { name: "To see 5 points" }).click();
  await page.getByRole("menuitem", { name: "20 points" }).click();
  await page.locator("dt").filter({ hasText: "To see 20 points" }).waitFor();
  await page.getByRole("button", { name: "Compared with" }).click();
  await page.getByRole("menuitem", { name: "Another model" }).click();
  await page.getByText("What differs from Another model, task by task").waitFor();
  await page.getByRole("heading", { name: "Colder, beside Another model" }).waitFor();
  await cell(4).getByText("Better by 25 points at 24 common tasks.").waitFor();
  await cell(2).getByText("No difference").waitFor();
  expect(new URL(page.url()).searchParams.get("detect")).toBe("20");
  await page.getByRole("button", { name: "Compared with" }).click();
  await page.getByRole("menuitem", { name: "Baseline" }).click();
  await page.getByRole("button", { name: "Edit Colder" }).click();
  await dialog.getByText("Its configuration is locked").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Promote Colder" }).click();
  await dialog.getByRole("button", { name: "Promote", exact: true }).click();
  await page.getByRole("columnheader", { name: "Colder" }).getByText("Promoted").waitFor();
  expect(await page.getByRole("button", { name: "Reject Colder" }).count()).toBe(0);
  await page.getByRole("button", { name: "Reject Another model" }).click();
  await dialog.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByRole("columnheader", { name: "Another model" }).waitFor({ state: "detached" });
  await page.getByText("1 of 2 variants are shown").waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await dialog.getByLabel("Title").waitFor();
  expect(await dialog.getByRole("combobox", { name: "Tasks" }).count()).toBe(0);
  const { data } = await call("GET", `/v0/experiments/${id}`);
  const { data: variants } = await call("GET", `/v0/experiments/${id}/variants?orderBy=createdAt&orderDir=asc`);
  expect(variants).toMatchObject([{ title: "Baseline" }, { title: "Colder" }, { status: "REJECTED" }]);
  expect(data).toMatchObject({ status: "COMPLETED", promotedVariantId: (variants as { id: string }[])[1]?.id });
});

test("steps and tasks of an experiment are chosen later, too, and those that are chosen stay", async () => {
  const { page } = watched;
  const externalId = newId();
  const made = async (path: string, body: unknown) => ((await call("POST", path, body)).data as { id: string }).id;
  const step = await made("/v0/inference-steps", { title: `Step ${externalId}`, type: "LLM", externalId });
  const { data: tasks } = await call("GET", "/v0/tasks?limit=1&orderBy=title&orderDir=asc");
  const taskIds = (tasks as { id: string }[]).map(({ id }) => id);
  const id = await made("/v0/experiments", { title: "Not thought through", taskIds });
  await page.goto(`${facts.baseUrl}/experiments/${id}`);
  await page.getByText("It changes no step.").waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Inference steps" }).fill(externalId);
  await page.getByRole("option", { name: `Step ${externalId}` }).click();
  // Closes the list of steps.
  await dialog.getByLabel("Title").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("cell", { name: `Step ${externalId}` }).waitFor();
  const { data } = await call("GET", `/v0/experiments/${id}`);
  expect(data).toMatchObject({ inferenceStepIds: [step], taskIds });
});
