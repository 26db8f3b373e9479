// Tests that text from users, models and traces is displayed only as text.

import { newId } from "@ems/kit/id";
import { afterAll, expect, test } from "vitest";
import { sample } from "../harness/sample.ts";
import { openConsole, watchedPage, whenLoaded } from "./open-console.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { browser, facts, session, call } = opened;

/** Hostile texts, joined into two texts that fit into a title (255 characters), so that each page is opened twice. */
const texts = [
  [
    "<img src=x onerror=\"document.title='ran'\">",
    "<script>document.title='ran'</script>",
    "\u202Egnitirw\u202C \u001B[31mred\u001B[0m {{constructor.constructor('document.title=1')()}}",
  ].join(" "),
  [
    "[here](javascript:document.title='ran') ![there](https://elsewhere.example/x.png)",
    "<svg onload=\"document.title='ran'\"><iframe srcdoc=\"<script>parent.document.title='ran'</script>\">",
  ].join(" "),
];

async function made(path: string, body: unknown): Promise<string> {
  return ((await call("POST", path, body)) as { data: { id: string } }).data.id;
}

test("markup, scripts and links in names and traces have no effect", async () => {
  // No receiver listens at this port, so that events stay pending and the console displays their bodies.
  await call("POST", "/v0/webhook", { url: "http://127.0.0.1:65535", headers: { "x-hostile": texts[1] } });
  const visited: string[] = [];
  for (const [at, text] of texts.entries()) {
    const pages: string[] = [];
    const { data: topic } = (await call("POST", "/v0/topics", { title: `${at} ${text}` })) as { data: { id: string } };
    const { task } = (await call("POST", "/v0/tasks", {
      title: `${at} ${text}`,
      description: text,
      type: "STATIC",
      topicId: topic.id,
      inputExamples: [text],
    })) as { task: { id: string } };
    const traceId = newId();
    await call("POST", "/v0/ingest", {
      events: [
        { type: "trace", traceId, steps: [{ type: "llm", event: "end", name: text, input: text, output: text }] },
      ],
    });
    const definition = await made("/v0/definitions", {
      type: "CUSTOM",
      name: `${at} ${text}`,
      globalConfig: { criterion: text },
    });
    await call("POST", "/v0/definitions/link-topics", { evalIds: [definition], topicIds: [topic.id] });
    await made("/v0/facts", { statement: text, sourceQuote: text, scope: "TOPIC", topicIds: [topic.id] });
    const queue = await made("/v0/human-annotation-queues", { topicId: topic.id });
    await call("POST", `/v0/human-annotation-queues/${queue}/items`, { traceIds: [traceId] });
    const annotation = { traceId, verdict: false, source: "TRACE_PAGE", critique: text.padEnd(20, ".") };
    await call("POST", "/v0/human-annotations", annotation);
    await call("POST", "/v0/issues", { title: text, description: text, source: "API", traceId });
    const { data: issues } = (await call("GET", `/v0/issues?traceId=${traceId}`)) as { data: { id: string }[] };
    pages.push(
      ...issues.map(({ id }) => `/issues/${id}`),
      `/reviews/${queue}`,
      `/reviews/${queue}?completion=COMPLETED`,
    );
    const guide = await made("/v0/style-guides", { content: [{ heading: text, content: text }] });
    const match = await made("/v0/definitions", {
      type: "OUTPUT_MATCH",
      name: `${at} ${text}`,
      globalConfig: { type: "string", extract: { pattern: `\\Q${text}\\E`, flags: "", group: 0 } },
    });
    const model = { name: text, provider: "openai", model: text, apiKey: "of-no-provider" };
    pages.push(`/settings/models/${await made("/v0/model-connections", model)}`);
    await call("POST", "/v0/api-keys", { name: text });
    const { document } = (await call("POST", "/v0/documents", { title: text, content: text })) as {
      document: { id: string };
    };
    await call("POST", `/v0/documents/${document.id}/versions`, { content: `${text} too` });
    const quickstart = await made("/v0/quickstarts", { title: text, description: text });
    const passages = { passageA: text, passageB: text, reason: text };
    const contradiction = { ...passages, documentAId: document.id, documentBId: document.id, documentTestId: newId() };
    await call("POST", `/v0/quickstarts/${quickstart}/contradictions`, { contradictions: [contradiction] });
    pages.push(`/quickstarts/${quickstart}/contradictions`);
    pages.push(`/documents/${document.id}`, `/documents/${document.id}?version=2&before=1`);
    const externalId = newId();
    const step = await made("/v0/inference-steps", { title: text, type: "LLM", externalId });
    const experiment = await made("/v0/experiments", {
      title: text,
      description: text,
      taskIds: [task.id],
      inferenceStepIds: [step],
    });
    for (const value of [text, `${text} too`]) {
      const configPatch = { [externalId]: { [text]: value } };
      await made(`/v0/experiments/${experiment}/variants`, { title: text, description: text, configPatch });
    }
    const runs: string[] = [];
    for (const passed of [true, false]) {
      const evaluations = [{ definitionId: definition, passed }];
      const { run } = (await call("POST", "/v0/tests/results", {
        run: { title: text },
        tests: [{ taskId: task.id, passed, evaluations }],
      })) as { run: { id: string } };
      runs.push(run.id);
    }
    pages.push(`/runs/compare?a=${runs[0]}&b=${runs[1]}`);
    pages.push(`/topics/${topic.id}`, `/tasks/${task.id}`, `/traces/${traceId}`);
    pages.push(`/definitions/${definition}`, `/definitions/${match}/edit`);
    pages.push(`/style-guides/${guide}`, `/experiments/${experiment}`);
    // In a partial run, open each page with only one of the texts.
    visited.push(...sample(pages, texts.length, at));
  }
  const { data: topic } = (await call("POST", "/v0/topics", { title: "x".repeat(255) })) as { data: { id: string } };
  const lists: string[] = [];
  const long = newId();
  const megabyte = "long ".repeat(200_000);
  await call("POST", "/v0/ingest", {
    events: [{ type: "trace", traceId: long, steps: [{ type: "llm", event: "end", name: "long", output: megabyte }] }],
  });
  lists.push(`/topics/${topic.id}`, `/traces/${long}`, "/topics", "/tasks", "/traces", "/facts", "/reviews");
  lists.push("/definitions", "/definitions/links", "/definitions/new", "/style-guides", "/experiments", "/runs");
  const { data: deliveries } = (await call("GET", "/v0/webhook/deliveries?limit=3")) as { data: { id: string }[] };
  lists.push(
    "/settings/keys",
    "/settings/models",
    "/settings/evaluation",
    "/webhook",
    "/deliveries",
    ...deliveries.map(({ id }) => `/deliveries/${id}`),
  );
  const context = await browser.newContext(session === undefined ? {} : { storageState: session });
  // Reuse one tab, because a new tab would load the scripts again.
  const { page, complaints } = await watchedPage(context, facts);
  for (const path of [...visited, ...sample(lists, 2)]) {
    await page.goto(`${facts.baseUrl}${path}`);
    await whenLoaded(page).catch((cause: unknown) => {
      throw new Error(`${path} was not loaded`, { cause });
    });
    expect(await page.title(), path).toMatch(/ · EMS$/);
    const made = page.locator("main script, main iframe, main svg[onload], main img[onerror], a[href^='javascript' i]");
    expect(await made.count(), path).toBe(0);
    expect(complaints, path).toEqual([]);
  }
  await context.close();
});
