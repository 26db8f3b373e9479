// Tests the audit log, erasures of end users, and pages whose date range is past retention.

import { runningUrl } from "@ems/deploy/running-database";
import { newId } from "@ems/kit/id";
import { keptSince } from "@ems/kit/retention";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { byKeyboard } from "./by-keyboard.ts";
import { openConsole, whenLoaded } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
// Use a time zone other than UTC, so that the viewer's days differ from the UTC days of totals.
const watched = pageOfEachTest(opened, { acceptDownloads: true, timezoneId: "Europe/Berlin" });
const { press, type } = byKeyboard(watched);

const button = (name: string | RegExp) => watched.page.getByRole("button", { name, exact: true });
const titled = (name: string) => watched.page.getByRole("heading", { level: 1, name }).waitFor();
const open = async (path: string, name: string) => {
  await watched.page.goto(`${facts.baseUrl}${path}`);
  await titled(name);
  await whenLoaded(watched.page);
};

async function made(path: string, body: unknown): Promise<string> {
  return ((await call("POST", path, body)).data as { id: string }).id;
}

/** Sends a trace of the user. */
const sendTrace = async (userId: string, text = "Where is my card?") => {
  const traceId = newId();
  const steps = [{ type: "llm", event: "end", name: "answer", input: text, output: text }];
  await call("POST", "/v0/ingest", { events: [{ type: "trace", traceId, metadata: { userId }, steps }] });
  return traceId;
};

const hostile = [
  "<img src=x onerror=\"document.title='ran'\">",
  "[here](javascript:document.title='ran')",
  "\u202Egnitirw\u202C \u001B[31mred\u001B[0m",
];

test("an entry is filtered, opened with values before and after, exported, and linked to its page", async () => {
  const { page } = watched;
  const topic = await made("/v0/topics", { title: "Cards of old", baseline: 0.5 });
  await call("PUT", `/v0/topics/${topic}`, { title: "Cards of today", baseline: null });
  await made("/v0/api-keys", { name: "Of the log" });
  await open("/settings/audit-log", "Audit log");
  const rows = page.getByRole("region", { name: "Audit log" }).getByRole("row");
  await rows.filter({ hasText: "Of the log" }).getByText("API key", { exact: true }).waitFor();
  await button("Resource").click();
  await page.getByLabel("Find in Resource").fill("topic");
  await page.getByRole("checkbox", { name: "Topic", exact: true }).check();
  await page.keyboard.press("Escape");
  await page.waitForURL(/resource=topic/);
  await button("Action").click();
  await page.getByRole("checkbox", { name: "Updated" }).check();
  await page.keyboard.press("Escape");
  await rows.filter({ hasText: "Created" }).first().waitFor({ state: "detached" });

  await page.reload();
  const row = rows.filter({ hasText: "Cards of today" });
  await row.getByText(/with key/).waitFor();
  await row.getByRole("button", { name: /^Details of updated Topic Cards of today/ }).click();
  const changes = page.getByRole("region", { name: /^Changes: updated Topic/ });
  expect(await changes.getByRole("deletion").allTextContents()).toContain("old");
  expect(await changes.getByRole("insertion").allTextContents()).toContain("today");
  await changes
    .getByRole("row", { name: /^baseline/ })
    .getByText("Not set")
    .waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), button("CSV").click()]);
  const csv = await text(file.createReadStream());
  expect(csv).toContain(`topic,${topic},UPDATED,ems.catalog.v1.TopicService/UpdateTopic`);
  await page.getByRole("link", { name: "Cards of today" }).click();
  await titled("Cards of today");
});

test("secret and long values are marked as such", async () => {
  const { page } = watched;
  const key = await made("/v0/api-keys", { name: "Of a secret" });
  const guide = await made("/v0/style-guides", { content: [{ heading: "Tone", content: "x".repeat(5_000) }] });
  for (const [id, displayed] of [
    [key, "Secret, not logged"],
    [guide, /bytes with the SHA-256 digest/],
  ] as const) {
    await open(`/settings/audit-log?entityId=${id}`, "Audit log");
    await button(/^Details of created/).click();
    await page.getByText(displayed).waitFor();
  }
});

test("an entry is opened, and its request's other changes are listed, by keyboard alone", async () => {
  const { page } = watched;
  await made("/v0/tags", { name: "Of the keyboard" });
  await open("/", "Overview");
  await page.keyboard.press("g");
  await page.keyboard.press("j");
  await titled("Audit log");
  await whenLoaded(page);
  await press(button(/^Details of created Tag Of the keyboard/));
  await page.getByRole("region", { name: /^Changes: created Tag/ }).waitFor();
  await press(page.getByRole("link", { name: /^[0-9a-f-]{36}$/ }).first());
  await page.waitForURL(/requestId=/);
  await titled("Audit log");
});

test("an end user is erased from a trace: counted, confirmed by typing, and tracked to completion", async () => {
  const { page } = watched;
  const [first] = [await sendTrace("ann@example.com"), await sendTrace("ann@example.com")];
  await open(`/traces/${first}`, "answer");
  await page.getByRole("link", { name: "Erase this user…" }).click();
  await titled("Erase an end user");
  const found = page.getByRole("region", { name: "Found" });
  await found.getByRole("row", { name: /^Traces 2$/ }).waitFor();
  await button("Erase all data").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Type ann@example.com/).fill("ann");
  await dialog.getByRole("button", { name: "Erase" }).click();
  await dialog.getByText("The text does not match").waitFor();
  await dialog.getByLabel(/^Type ann@example.com/).fill("ann@example.com");
  await dialog.getByRole("button", { name: "Erase" }).click();
  await titled("Erasure");
  await page.getByText("Completed", { exact: true }).first().waitFor({ timeout: 60_000 });
  await page
    .getByRole("region", { name: "Erased" })
    .getByRole("row", { name: /^Traces 2$/ })
    .waitFor();
  expect(await page.content()).not.toContain("ann@");
  await open("/settings/erasures?user=ann%40example.com", "Erasures");
  await page.getByRole("region", { name: "Erasures" }).getByText("Completed", { exact: true }).last().waitFor();
  await open("/settings/erasures/new?user=ann%40example.com", "Erase an end user");
  await page.getByRole("heading", { name: "No data of this user" }).waitFor();
});

test("a user is counted and erased by keyboard alone", async () => {
  const { page } = watched;
  await sendTrace("Bob");
  await open("/settings/erasures/new", "Erase an end user");
  await press(page.getByLabel("End user"));
  await page.getByText("Enter an end user").waitFor();
  await type(page.getByLabel("End user"), "Bob");
  await page.keyboard.press("Enter");
  await press(button("Erase all data"));
  await type(page.getByLabel("Type Bob to confirm"), "Bob");
  await page.keyboard.press("Enter");
  await titled("Erasure");
});

test("markup in names, users and values has no effect", async () => {
  const { page } = watched;
  for (const text of hostile) {
    const topic = await made("/v0/topics", { title: text });
    await sendTrace(text);
    const trace = await sendTrace(text, text);
    await open(`/settings/audit-log?entityId=${topic}`, "Audit log");
    await button(/^Details of created Topic/).click();
    await page.getByRole("region", { name: /^Changes:/ }).waitFor();
    await open(`/traces/${trace}`, "answer");
    await page.getByRole("link", { name: "Erase this user…" }).click();
    await page.getByRole("row", { name: /^Traces 2$/ }).waitFor();
    await button("Erase all data").click();
    await page
      .getByRole("dialog")
      .getByLabel(/^Type .* to confirm$/)
      .waitFor();
    expect(await page.title()).toBe("Erase an end user · EMS");
    expect(await page.locator("main script, main img[onerror], a[href^='javascript' i]").count()).toBe(0);
  }
  await open(
    `/settings/audit-log?${hostile.map((text) => `resource=${encodeURIComponent(text)}`).join("&")}`,
    "Audit log",
  );
});

test("pages whose range is past retention say so and display the remaining data", async () => {
  const { page } = watched;
  const days = 10;
  const since = keptSince(new Date(), days).toISOString();
  const [task] = (await call("GET", "/v0/tasks?orderBy=title&orderDir=asc&limit=1")).data as { id: string }[];
  await retain(days);
  // Simulate the retention setting in the API's response: with the real one, the product would reject the sample data.
  const retention = { traces: { days, since }, results: { days, since } };
  await page.route("**/console/api/v0/evaluation-settings", async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { data: { ...data, retention } } });
  });
  await open("/settings/evaluation", "Evaluation");
  expect(await page.getByText(/^10 days, since/).count()).toBe(2);
  const from = "from=2026-01-01&to=2090-01-01";
  const paths = {
    "/": /Days before .* are kept only as totals \(retention: 10 days\)/,
    [`/traces?${from}`]: /Traces before .* are deleted \(retention: 10 days\)/,
    [`/tests?${from}`]: /Tests before .* are kept only as totals/,
    "/runs": /Tests before .* are kept only as totals/,
    "/reports": /Before .* only totals per UTC day are available/,
  };
  for (const [path, sentence] of Object.entries(paths)) {
    await page.goto(`${facts.baseUrl}${path}`);
    await page.getByText(sentence).first().waitFor();
    await whenLoaded(page);
    if (path !== "/reports") expect(await page.getByRole("alert").allTextContents(), path).toEqual([]);
  }
  await page.goto(`${facts.baseUrl}/tasks/${task?.id}`);
  await page.getByRole("heading", { name: "History" }).waitFor();
  await whenLoaded(page);
  expect(await page.getByRole("alert").allTextContents()).toEqual([]);
  await open(`/traces?from=${new Date().toISOString().slice(0, 10)}`, "Traces");
  expect(await page.getByText(/are deleted/).count()).toBe(0);
});

/** Limits reports to rows of the last `days` days, like the retention setting. */
async function retain(days: number): Promise<void> {
  const client = new pg.Client({ connectionString: await runningUrl(facts.dataDir) });
  await client.connect();
  await client.query("INSERT INTO experiments.retention (kind, days) VALUES ('results', $1)", [days]);
  await client.end();
}

async function text(stream: Promise<NodeJS.ReadableStream>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
