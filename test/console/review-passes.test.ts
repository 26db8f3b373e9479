// Tests reviews of one trace by several evaluators, which are saved as one pass.

import { afterAll, expect, test } from "vitest";
import { axe, brokenRules } from "./axe.ts";
import { byKeyboard } from "./by-keyboard.ts";
import { openConsole, whenLoaded } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
const watched = pageOfEachTest(opened);
const keyboard = byKeyboard(watched);

const made = async (path: string, body: unknown) => ((await call("POST", path, body)).data as { id: string }).id;
const listed = async (path: string) => (await call("GET", path)).data as Record<string, unknown>[];

/** Creates a queue with one trace, which a judge of each evaluator passed. Returns ids and the queue's address. */
async function newReview(title: string) {
  const polite = { type: "CUSTOM", name: "Polite", globalConfig: { criterion: "Thanks the customer." } };
  const safe = { type: "CUSTOM", name: "No promises", globalConfig: { criterion: "Promises no rate." } };
  const politeId = await made("/v0/definitions", polite);
  const safeId = await made("/v0/definitions", safe);
  const naturalId = await made("/v0/definitions", { type: "NATURALNESS", name: "Natural", globalConfig: {} });
  // Use a unique topic, because the test may be retried.
  const topicId = await made("/v0/topics", { title: `${title} ${Date.now()}` });
  const [task] = await listed("/v0/tasks?limit=1");
  const evaluations = [politeId, safeId, naturalId].map((definitionId) => ({ definitionId, passed: true, score: 1 }));
  const { testIds } = (await call("POST", "/v0/tests/results", { tests: [{ taskId: task?.id, evaluations }] })) as {
    testIds: string[];
  };
  const steps = [
    { type: "request", content: "What does a card cost?" },
    { type: "response", content: "Nothing, always." },
  ];
  const ingested = await call("POST", "/v0/ingest", { events: [{ type: "trace", testId: testIds[0], steps }] });
  const traceId = (ingested.data as { id: string }[])[0]?.id ?? "";
  const queueId = await made("/v0/human-annotation-queues", { topicId, definitionId: politeId });
  await call("POST", `/v0/human-annotation-queues/${queueId}/items`, { traceIds: [traceId] });
  return { traceId, politeId, safeId, naturalId, queueId, url: `${facts.baseUrl}/reviews/${queueId}` };
}

test("a trace is judged by several evaluators in one pass, by keyboard alone", async () => {
  const { page } = watched;
  const { traceId, politeId, safeId, naturalId, url } = await newReview("In one pass");
  await page.goto(url);
  await page.getByText("What does a card cost?").waitFor();
  await page.getByRole("button", { name: "No promises" }).waitFor();
  // The verdicts of judges are hidden until the review is saved.
  expect(await page.getByText("Passed").count()).toBe(0);
  await page.keyboard.press("a");
  await page.keyboard.press("a");
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await row("No promises").getByText("Promises no rate.").waitFor();

  await page.evaluate(axe);
  expect(await brokenRules(page)).toEqual([]);

  await page.keyboard.press("p");
  await keyboard.type(page.getByRole("textbox", { name: "Score by Natural" }), "2");
  await row("Natural").getByRole("button", { name: "Fail", pressed: true }).waitFor();
  await keyboard.press(row("No promises").getByRole("button", { name: "Fail" }));
  await page.getByRole("textbox", { name: "Why" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByText("Please explain in at least 20 characters: 20 more").waitFor();
  await page.keyboard.type("It promises a price without a limit in time.");
  await page.keyboard.press("Control+Enter");

  await page.getByText("All done").waitFor();
  const annotations = await listed(`/v0/human-annotations?traceId=${traceId}&orderBy=createdAt&orderDir=asc`);
  expect(annotations.map((each) => [each.definitionId, each.verdict, each.score])).toEqual([
    [politeId, true, null],
    [naturalId, false, 2],
    [safeId, false, null],
  ]);
  const shared = new Set(annotations.map((each) => `${String(each.passId)} ${String(each.critique)}`));
  expect(shared).toEqual(new Set([`${String(annotations[0]?.passId)} It promises a price without a limit in time.`]));
  expect(annotations[0]?.passId).toBeTypeOf("string");
  const issues = (await listed("/v0/issues?source=HUMAN_ANNOTATION")).filter((issue) => issue.traceId === traceId);
  expect(issues).toMatchObject([{ description: expect.stringContaining("Failed criteria: Natural, No promises") }]);

  await page.goto(`${url}?completion=COMPLETED`);
  await page.getByText("1 of 3 judges agree.").waitFor();
  await page.getByRole("row").filter({ hasText: "Polite" }).first().waitFor();
  await whenLoaded(page);
});

test("after a failure, what was saved stays visible, and a retry or a reload sends only the rest", async () => {
  const { page } = watched;
  const { traceId, politeId, safeId, naturalId, queueId, url } = await newReview("Interrupted");
  await page.goto(url);
  await page.getByRole("button", { name: "No promises" }).click();
  await page.getByRole("button", { name: "Natural" }).click();
  await page.getByRole("button", { name: "Save 3 verdicts" }).click();
  await page.getByText("Choose Pass or Fail for each evaluator, or remove it").waitFor();
  for (const name of ["Polite", "No promises", "Natural"])
    await page.getByRole("button", { name: `Pass by ${name}` }).click();
  const sent: Record<string, unknown>[] = [];
  let failing: unknown = safeId;
  await page.route("**/console/api/v0/human-annotations", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const body = route.request().postDataJSON() as Record<string, unknown>;
    sent.push(body);
    if (body.definitionId !== failing) return route.continue();
    await route.fulfill({ status: 409, json: { message: "Interrupted for a test" } });
  });
  await page.getByRole("button", { name: "Save 3 verdicts" }).click();
  await page.getByText("Interrupted for a test").waitFor();
  await page.getByText("1 of 3 verdicts saved.").waitFor();
  const polite = page.getByRole("listitem").filter({ hasText: "Polite" });
  await polite.getByText("Saved").waitFor();
  expect(await listed(`/v0/human-annotations?traceId=${traceId}`)).toHaveLength(1);

  // The next attempt fails at the last evaluator. A reload keeps what was saved.
  failing = naturalId;
  await page.getByRole("button", { name: "Save the rest" }).click();
  await page.getByText("2 of 3 verdicts saved.").waitFor();
  await page.reload();
  await page.getByText("2 of 2 verdicts saved.").waitFor();
  await page.getByRole("button", { name: "Natural" }).click();
  await page.getByRole("button", { name: "Fail by Natural" }).click();
  await page.getByRole("textbox", { name: "Why" }).fill("It does not sound like a person.");
  failing = undefined;
  await page.getByRole("button", { name: "Save the rest" }).click();
  await page.getByText("All done").waitFor();

  expect(sent.map(({ definitionId, passComplete }) => [definitionId, passComplete])).toEqual([
    [politeId, false],
    [safeId, false],
    [safeId, false],
    [naturalId, true],
    [naturalId, true],
  ]);
  expect(new Set(sent.map(({ passId }) => passId)).size).toBe(1);
  const stored = await listed(`/v0/human-annotations?traceId=${traceId}`);
  expect(stored).toHaveLength(3);
  expect(new Set(stored.map(({ critique }) => critique))).toEqual(new Set(["It does not sound like a person."]));
  const items = await listed(`/v0/human-annotation-queue-items?queueId=${queueId}`);
  expect(items).toMatchObject([{ completedAt: expect.any(String) }]);
});
