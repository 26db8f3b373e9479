// Tests definitions (a form for each type, trials before saving, links by keyboard), style guides and experiments.

import { newId } from "@ems/kit/id";
import { afterAll, expect, test } from "vitest";
import { openConsole } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
const watched = pageOfEachTest(opened);

const open = async (path: string, title: string) => {
  await watched.page.goto(`${facts.baseUrl}${path}`);
  await titled(title);
};
const titled = (name: string) => watched.page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const form = () => watched.page.getByRole("form", { name: "Evaluator" });
const choose = (type: string) => watched.page.getByRole("radio", { name: type, exact: true }).click();
const save = () => form().getByRole("button", { name: "Create" }).click();
const named = async (name: string) => {
  const { data } = (await call("GET", `/v0/definitions?search=${encodeURIComponent(name)}`)) as {
    data: Record<string, unknown>[];
  };
  return data[0];
};

test("a style guide is created, previewed and used by an evaluator", async () => {
  const { page } = watched;
  await open("/style-guides/new", "New style guide");
  await page.getByLabel("Heading").fill("House tone");
  await page.getByLabel("Rules of section 1").fill("Be **brief**.");
  await page.getByText("Preview", { exact: true }).click();
  await page.locator("strong", { hasText: "brief" }).waitFor();
  await page.getByRole("button", { name: "Create" }).click();
  await titled("House tone");
  await page.getByText("No evaluator uses it.").waitFor();

  await open("/definitions/new", "New evaluator");
  await page.getByLabel("Name").fill("Sounds like us");
  await choose("Style");
  await save();
  await form().getByText("Choose a style guide").first().waitFor();
  await page.getByRole("combobox", { name: "Style guide" }).click();
  await page.getByRole("option", { name: "House tone" }).click();
  await save();
  await titled("Sounds like us");
  await page.getByRole("link", { name: "Open" }).click();
  await titled("House tone");
  await page.getByRole("link", { name: "Sounds like us" }).waitFor();
});

test.each([
  ["Criterion", "Criterion", { type: "CUSTOM", globalConfig: { criterion: "It is polite." } }],
  ["Facts", "Ground truth", { type: "FACT", globalConfig: { groundTruth: "It is polite." } }],
  ["Naturalness", undefined, { type: "NATURALNESS", globalConfig: null }],
  ["Recall", undefined, { type: "RECALL", globalConfig: null }],
])("%s: the form creates the evaluator with the entered values", async (type, field, made) => {
  const { page } = watched;
  await open("/definitions/new", "New evaluator");
  await choose(type);
  await save();
  // Saving without a name shows the API's error.
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Name").fill(`Made as ${type}`);
  if (field !== undefined) await form().getByRole("textbox", { name: field }).fill("It is polite.");
  await save();
  await titled(`Made as ${type}`);
  expect(await named(`Made as ${type}`)).toMatchObject(made);
});

test("an output match is tried on a pasted answer, explains its failure, and is saved", async () => {
  const { page } = watched;
  await open("/definitions/new", "New evaluator");
  await page.getByLabel("Name").fill("Names the price");
  await choose("Output match");
  await form().getByLabel("Compare only the matches of a pattern").check();
  await form().getByRole("textbox", { name: "Pattern" }).fill("(\\d+) euros");
  await form().getByRole("textbox", { name: "Sample answer" }).fill("It costs 12 euros a year, or 100 euros for ten.");
  await page.getByText("1 match. Compared:").waitFor();
  await page.getByRole("listitem").filter({ hasText: "12 euros" }).waitFor();
  await form().getByLabel("Group").fill("1");
  await page.getByRole("listitem").filter({ hasText: /^12$/ }).waitFor();
  await form().getByLabel("All matches (g)").check();
  await page.getByText("2 matches. Compared:").waitFor();
  await form().getByLabel("All matches (g)").uncheck();

  await page.getByRole("textbox", { name: "Expected" }).fill("13");
  await page.getByRole("button", { name: "Try it" }).click();
  const result = page.getByRole("article");
  await result.getByText("Failed", { exact: true }).first().waitFor();
  await result.getByText("13", { exact: true }).first().waitFor();
  await page.getByRole("textbox", { name: "Expected" }).fill("12");
  await page.getByRole("button", { name: "Try it" }).click();
  await result.getByText("Passed", { exact: true }).waitFor();

  await form().getByRole("textbox", { name: "Pattern" }).fill("(?=a)");
  await save();
  await form()
    .getByText(/Not a pattern in RE2's syntax/)
    .first()
    .waitFor();
  await form().getByRole("textbox", { name: "Pattern" }).fill("(\\d+) euros");
  await save();
  await titled("Names the price");
  const extract = { pattern: "(\\d+) euros", flags: "", group: 1 };
  expect(await named("Names the price")).toMatchObject({ globalConfig: { type: "string", extract } });

  await page.getByRole("link", { name: "Edit" }).click();
  await titled("Edit Names the price");
  await form().getByRole("radio", { name: "A list of items" }).check();
  await form().getByRole("button", { name: "Save" }).click();
  await titled("Names the price");
  await page.getByText("Equal items, in any order").waitFor();
});

test("a trial without a model connection says how to create one; a trace can be tried", async () => {
  const { page } = watched;
  const { data } = (await call("GET", "/v0/traces?limit=1")) as { data: { id: string }[] };
  await open("/definitions/new", "New evaluator");
  await form().getByRole("textbox", { name: "Criterion" }).fill("It is polite.");
  await page.getByRole("textbox", { name: "Answer" }).fill("Hello.");
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText("The application has no model connection: create one with POST /v0/model-connections").waitFor();
  await choose("Output match");
  await page.getByText("A past trace").click();
  await page.getByRole("combobox", { name: "Trace" }).fill(data[0]?.id ?? "");
  await page.getByRole("textbox", { name: "Expected" }).fill("nothing says this");
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByRole("article").getByText("Failed", { exact: true }).first().waitFor();
});

test("links are created, configured and removed in the matrix by keyboard alone", async () => {
  const { page } = watched;
  // Use unique names, because the test may be retried.
  const mark = newId();
  const [a, b, first, second] = [`${mark} A`, `${mark} B`, `${mark} one`, `${mark} two`];
  const { data: topic } = (await call("POST", "/v0/topics", { title: "Link matrix" })) as { data: { id: string } };
  for (const title of [first, second]) await call("POST", "/v0/tasks", { title, description: "d", topicId: topic.id });
  const globalConfig = { type: "string" };
  for (const name of [a, b]) await call("POST", "/v0/definitions", { type: "OUTPUT_MATCH", name, globalConfig });
  await open(`/definitions/links?topicId=${topic.id}&name=${mark}`, "Links");
  const cell = (definition: string, task: string) =>
    page.getByRole("checkbox", { name: `${definition} judges ${task}`, exact: true });
  await cell(a, first).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  expect(await page.locator(":focus").getAttribute("aria-label")).toBe(`${b} judges ${second}`);
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: `Expected answer of ${b} for ${second}` }).waitFor();
  await expect.poll(() => linkedTo(b)).toEqual([second]);
  // Enter opens the dialog, because the focus has stayed on the cell.
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("textbox", { name: "Expected answer 1" }).fill("12 euros");
  // Past the buttons that remove and add an answer, and the one that closes the dialog.
  for (let tabs = 0; tabs < 4; tabs++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const [task] = (
    (await call("GET", `/v0/tasks?topicId=${topic.id}&orderBy=title&orderDir=desc`)) as { data: { id: string }[] }
  ).data;
  const { task: read } = (await call("GET", `/v0/tasks/${task?.id}`)) as { task: { evalDefinitions: unknown[] } };
  expect(read.evalDefinitions).toMatchObject([{ config: { expected: "12 euros" } }]);
  await cell(b, second).focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: `Expected answer of ${b} for ${second}` }).waitFor({ state: "detached" });
  await expect.poll(() => linkedTo(b)).toEqual([]);
});

/** Returns the titles of the tasks linked to the evaluator. */
async function linkedTo(name: string): Promise<string[]> {
  const { data } = (await call("GET", `/v0/tasks?evalDefinitionId=${(await named(name))?.id}`)) as {
    data: { title: string }[];
  };
  return data.map(({ title }) => title);
}

test("an experiment is created with tasks, and its status moves forward", async () => {
  const { page } = watched;
  await call("POST", "/v0/inference-steps", { title: "Answering", type: "LLM" });
  const [task] = ((await call("GET", "/v0/tasks?limit=1")) as { data: { title: string }[] }).data;
  await open("/experiments", "Experiments");
  await page.getByRole("button", { name: "New experiment" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Title").fill("A shorter prompt");
  await dialog.getByRole("combobox", { name: "Inference steps" }).click();
  await page.getByRole("option", { name: "Answering" }).first().click();
  await page.keyboard.press("Tab");
  await dialog.getByRole("combobox", { name: "Tasks" }).click();
  await page.getByRole("option", { name: task?.title ?? "" }).click();
  await page.keyboard.press("Tab");
  await dialog.getByRole("button", { name: "Create" }).click();
  await titled("A shorter prompt");
  await page.getByRole("cell", { name: "Answering" }).waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await dialog.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Running", exact: true }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Running", { exact: true }).first().waitFor();
});
