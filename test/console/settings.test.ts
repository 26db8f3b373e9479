// Tests the settings: API keys, models, budgets and redaction.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { newId } from "@ems/kit/id";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { openConsole, watchedPage, whenLoaded } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";
import { filledFields, managedFields } from "./saved-passwords.ts";

const opened = await openConsole({ MODEL_ALLOW_CIDRS: "127.0.0.0/8" });
const lostQuestion = "Whose connection breaks?";
/** Model provider that accepts one API key, and closes the connection for one question. */
const provider = createServer(async (request, response) => {
  if ((await text(request)).includes(lostQuestion)) return void request.socket.destroy();
  const isKnown = request.headers.authorization === "Bearer sk-right";
  const judgement = { rationale: "It does.", quotes: ["Settings"], choice: "Y" };
  const message = { role: "assistant", content: `\`\`\`json\n${JSON.stringify(judgement)}\n\`\`\`` };
  const answer = { model: "judge-1", choices: [{ message }], usage: { prompt_tokens: 3, completion_tokens: 1 } };
  response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
  response.end(JSON.stringify(isKnown ? answer : { error: { message: "Incorrect API key provided" } }));
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
const providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
afterAll(async () => {
  provider.closeAllConnections();
  provider.close();
  await opened.close();
});
const { browser, facts, call } = opened;
const watched = pageOfEachTest(opened);

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

test("a key is displayed once after creation, and its deletion ends sessions that use it", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/settings/keys`);
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Name").fill("For a colleague");
  await dialog.getByRole("button", { name: "Create" }).click();
  const key = (await dialog.getByText(/^ems_/).textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("For a colleague").waitFor();
  expect(await page.content()).not.toContain(key);

  const other = await browser.newContext();
  const theirs = await watchedPage(other, facts);
  await theirs.page.goto(`${facts.baseUrl}/sign-in`);
  expect(await filledFields(theirs.page)).toMatchObject({ passwords: { length: 1 } });
  await theirs.page.getByLabel("API key").fill(key);
  await theirs.page.getByLabel("Application").fill(facts.applicationId);
  await theirs.page.getByRole("button", { name: "Sign in" }).click();
  await title(theirs.page, "Overview");
  await theirs.page.goto(`${facts.baseUrl}/settings/keys`);
  await theirs.page.getByRole("button", { name: "Delete key For a colleague" }).click();
  await theirs.page.getByText("You are signed in with this key").waitFor();
  await theirs.page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await title(theirs.page, "Sign in");
  expect(theirs.complaints).toEqual([]);
  await other.close();
});

test("a telemetry key with an expiry is created and listed with scopes and expiry", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/settings/keys`);
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Collector");
  await dialog.getByRole("combobox", { name: "May do" }).click();
  await page.getByRole("option", { name: "Selected scopes" }).click();
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Choose at least one").waitFor();
  await dialog.getByRole("combobox", { name: "May do" }).click();
  await page.getByRole("option", { name: "Send telemetry only" }).click();
  await dialog.getByLabel("Last day").fill("2090-12-31");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  const row = page.getByRole("row").filter({ hasText: "Collector" });
  await row.getByText("otlp:write, ingest:write").waitFor();
  expect(await row.textContent()).toContain("2090");
});

test("a connection with a wrong key is tested, explained and repaired, and its key is never displayed", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/settings/models`);
  await page.getByRole("button", { name: "New connection" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Judge");
  await dialog.getByRole("combobox", { name: "Provider" }).click();
  await page.getByRole("option", { name: "openai-compatible" }).click();
  await dialog.getByLabel("Model").fill("judge-1");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Enter a base URL").first().waitFor();
  await dialog.getByLabel("Base URL").fill(providerUrl);
  expect(await filledFields(page)).toEqual({ passwords: [], userNames: [] });
  expect(await managedFields(page)).toEqual([]);
  await dialog.getByLabel("Provider API key").fill(facts.apiKey ?? "");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Must not be an API key of this service").first().waitFor();
  await dialog.getByLabel("Provider API key").fill("sk-wrong-and-secret");
  await dialog.getByLabel("Input price ($ per million tokens)").fill("1");
  await dialog.getByLabel("Output price ($ per million tokens)").fill("2");
  await dialog.getByRole("button", { name: "Create" }).click();
  await title(page, "Judge");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page
    .getByRole("status")
    .getByText(/No judgment: .*401/)
    .waitFor();
  expect(await page.content()).not.toContain("sk-wrong");

  await page.getByRole("button", { name: "Edit" }).click();
  await dialog.getByText(/^The stored key (ends with cret|is kept)$/).waitFor();
  expect(await dialog.locator("input[type=password]").count()).toBe(0);
  await dialog.getByRole("button", { name: "Replace key" }).click();
  expect(await filledFields(page)).toEqual({ passwords: [], userNames: [] });
  expect(await managedFields(page)).toEqual([]);
  await dialog.getByLabel("Provider API key").fill("sk-right");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByText(/judge-1 judged the example in/).waitFor();
  await page.getByText("The server does not enforce the schema of answers.").waitFor();
});

test("a budget is set and displays its spending", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/settings/evaluation`);
  await page
    .getByText(/^\$0, no budget$/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Monthly budget").fill("250");
  await dialog.getByLabel("Share of production traces judged, %").fill("5");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("$0 of $250.00 (0 %)").waitFor();
  await page.getByText("5 %", { exact: true }).waitFor();

  const trial = { type: "NATURALNESS", question: lostQuestion, answer: "Mine." };
  expect(await call("POST", "/v0/definitions/try", trial)).toMatchObject({ data: { status: "FAILED", costMicro: 0 } });
  await page.reload();
  const month = page.getByRole("region", { name: "This month" });
  await month.getByText(/^Certain: \$0\. Uncertain: \$0\.\d+$/).waitFor();
  // The budget's bar includes the uncertain spending.
  await month.getByText(/^\$0\.\d+ of \$250\.00 \(0 %\)$/).waitFor();
  await page
    .getByText(/the provider may or may not have billed them\. Uncertain spending counts toward budgets in full\.$/)
    .waitFor();
});

test("redaction rules are validated, tried before saving, and applied to new traces", async () => {
  const { page } = watched;
  const markup = "<img src=x onerror=\"document.title='ran'\">";
  await page.goto(`${facts.baseUrl}/`);
  await title(page, "Overview");
  await page.keyboard.press("g");
  await page.keyboard.press("g");
  await title(page, "Redaction");
  await page.getByText("Nothing is redacted yet").waitFor();
  const email = page.getByRole("checkbox", { name: "E-mail addresses" });
  await email.check();
  await page.getByRole("button", { name: "Add a pattern" }).click();
  const pattern = page.getByRole("group", { name: "Pattern 1" });
  const field = (name: string) => pattern.getByRole("textbox", { name });
  await field("Pattern").fill("K-(\\d+");
  const save = page.getByRole("button", { name: "Save" });
  await save.click();
  await pattern.getByText("Enter a name").waitFor();
  await field("Name").fill("customer");
  await save.click();
  await pattern.getByText(/^Not a pattern in RE2's syntax/).waitFor();

  await page.getByLabel("Text", { exact: true }).fill("ann@example.com is K-4711");
  await page.getByRole("button", { name: "Redact", exact: true }).click();
  await page
    .getByRole("form", { name: "Trial" })
    .getByText(/^redactions.1.pattern: Not a pattern/)
    .waitFor();
  await pattern.getByText(/^Not a pattern in RE2's syntax/).waitFor();
  await field("Pattern").fill("K-\\d+");
  await field("Replacement").fill(markup);
  await page.getByRole("button", { name: "Redact", exact: true }).click();
  const redacted = `[redacted:EMAIL] is ${markup}`;
  const tried = page.getByRole("region", { name: "Redacted text" });
  await tried.getByText(redacted).waitFor();
  expect((await call("GET", "/v0/ingest-settings")).data).toMatchObject({ redactions: [], modifiedAt: null });

  await field("Replacement").fill("");
  await page.getByLabel("Replacement of E-mail addresses").fill(markup);
  await save.click();
  await page.getByText(/^Saved: /).waitFor();
  await page.reload();
  await whenLoaded(page);
  expect(await email.isChecked()).toBe(true);
  expect(await page.getByLabel("Replacement of E-mail addresses").inputValue()).toBe(markup);
  expect(await field("Pattern").inputValue()).toBe("K-\\d+");
  const traceId = newId();
  const steps = [{ type: "llm", event: "end", name: "answer", input: "ann@example.com is K-4711" }];
  await call("POST", "/v0/ingest", { events: [{ type: "trace", traceId, steps }] });
  expect(JSON.stringify(await call("GET", `/v0/traces/${traceId}`))).toMatch(/"<img [^>]*> is \[redacted:customer\]"/);

  await page.getByRole("button", { name: "Remove pattern 1" }).click();
  await email.uncheck();
  await save.click();
  await page.getByText(/^Saved: /).waitFor();
  const { data } = (await call("GET", "/v0/ingest-settings")) as { data: { redactions: object[] } };
  expect(data.redactions).toMatchObject([{ name: "EMAIL", enabled: false, replacement: markup }]);
  expect(await page.title()).toBe("Redaction · EMS");
});

test("the maximum number of redaction rules is displayed, and no more can be added", async () => {
  const { page } = watched;
  const redactions = Array.from({ length: 19 }, (_, at) => ({ name: `own-${at}`, pattern: `K-${at}` }));
  await call("PUT", "/v0/ingest-settings", { redactions });
  await page.goto(`${facts.baseUrl}/settings/redaction`);
  const phone = page.getByRole("checkbox", { name: "Phone numbers" });
  const add = page.getByRole("button", { name: "Add a pattern" });
  await phone.check();
  expect(await add.isDisabled()).toBe(true);
  expect(await page.getByRole("checkbox", { name: "E-mail addresses" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/^Saved: /).waitFor();
  expect(await page.getByRole("group", { name: /^Pattern / }).count()).toBe(19);
  await phone.uncheck();
  expect(await add.isDisabled()).toBe(false);
});
