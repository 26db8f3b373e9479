// Faulty models: floods, drips, silence, wrong lengths, invalid certificates. Their tenant waits, others do not.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { createTestCa } from "@ems/test-support/certificates";
import { type ModelServer, modelServer } from "@ems/test-support/model-server";
import { afterAll, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import {
  createTask,
  defineFor,
  endedTests,
  reachingLoopback,
  startAnswering,
  testsOfRun,
  triggerTasks,
} from "../harness/judged.ts";
import { collectingGarbage, memoryGrowth } from "../harness/memory-in-use.ts";
import { quietly } from "../harness/quiet-tenant.ts";
import type { TestTenant } from "../harness/tenant.ts";

const product = await startAttacked("one", { ...reachingLoopback, ...collectingGarbage });
const { adminUrl } = product.facts;
const healthy = await modelServer();
const answering = await startAnswering(() => "Cards are free.");
const ca = await createTestCa();
afterAll(async () => {
  await healthy.close();
  await answering[Symbol.asyncDispose]();
});

async function judgedBy(baseUrl: string, definition: object): Promise<TestTenant> {
  const tenant = await product.tenant();
  expect((await tenant.api.post("/v0/webhook", { url: answering.url })).status).toBe(200);
  const connection = { name: "Judge", provider: "openai-compatible", model: "judge-1", baseUrl, apiKey: "sk-attack" };
  const made = await tenant.api.post("/v0/model-connections", { ...connection, default: true });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await defineFor(tenant, definition);
  return tenant;
}
const custom = { type: "CUSTOM", globalConfig: { criterion: "It is polite." } };
const quiet = await judgedBy(healthy.url, custom);

/** A server whose answer is written by `write`. */
async function serving(
  write: (send: (chunk: Uint8Array) => boolean, onDrain: (next: () => void) => void) => void,
  headers = {},
) {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers });
    write(
      (chunk) => !response.destroyed && response.write(chunk),
      (next) => response.on("drain", next),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const megabyte = Buffer.alloc(1024 * 1024, "x");
const gzipped = gzipSync(Buffer.alloc(300 * 1024 * 1024, " "), { level: 9 });
const scripted = (respond: ModelServer["respond"]) => async () => {
  const server = await modelServer();
  server.respond = respond;
  return server;
};

test.each<[name: string, start: () => Promise<{ url: string; close(): Promise<void> }>]>([
  ["100 KB of text", scripted(() => ({ kind: "answer", text: "x".repeat(100_000) }))],
  ["JSON of 900 KB", scripted(() => ({ kind: "answer", object: { rationale: "x".repeat(900_000), passed: true } }))],
  ["nesting", scripted(() => ({ kind: "answer", text: `${"[".repeat(50_000)}${"]".repeat(50_000)}` }))],
  [
    "gigabytes",
    () =>
      serving((send, onDrain) => {
        const pump = () => {
          while (send(megabyte));
        };
        onDrain(pump);
        pump();
      }),
  ],
  ["gzip of 300 MB", () => serving((send) => void send(gzipped), { "content-encoding": "gzip" })],
  ["a byte a second", scripted(() => ({ kind: "drip", everyMs: 1_000 }))],
  ["headers, and nothing", scripted(() => ({ kind: "hang" }))],
  ["connections that end", scripted(() => ({ kind: "reset" }))],
  ["a wait of a year", scripted(() => ({ kind: "error", status: 429, headers: { "retry-after": "31536000" } }))],
  ["a wait that is no number", scripted(() => ({ kind: "error", status: 503, headers: { "retry-after": "1e999" } }))],
  ["a certificate of nobody", async () => modelServer({ tls: await ca.issue(["127.0.0.1"]) })],
])("a model that answers with %s costs bounded memory, and no other tenant", async (_, start) => {
  const model = await start();
  try {
    const noisy = await judgedBy(model.url, custom);
    const [attacked, own] = [await createTask(noisy, 30), await createTask(quiet, 3)];
    const growth = await memoryGrowth(adminUrl, async () => {
      const runId = await triggerTasks(noisy, [attacked]);
      const startMs = performance.now();
      const [tests] = await Promise.all([
        triggerTasks(quiet, [own]).then((id) => endedTests(quiet, id)),
        quietly(quiet, 3_000),
      ]);
      for (const each of tests) expect(each.status).toBe("COMPLETED");
      expect(performance.now() - startMs).toBeLessThan(40_000);
      // Ended, or waiting for a stated reason.
      await expect
        .poll(async () => (await testsOfRun(noisy, runId)).every(({ status }) => status !== "PENDING"))
        .toBe(true);
    });
    expect(growth).toBeLessThan(100);
  } finally {
    await model.close();
  }
});

test("patterns that never end elsewhere end here, over an answer of 900 KB", async () => {
  await using long = await startAnswering(() => `${"a".repeat(900_000)}!`);
  const noisy = await product.tenant();
  expect((await noisy.api.post("/v0/webhook", { url: long.url })).status).toBe(200);
  for (const extract of ["(a+)+$", "(a|aa)+$", "(a|a?)+$", "(.*a){20}$", "(?:a{0,50}){0,19}$"]) {
    const definition = {
      type: "OUTPUT_MATCH",
      globalConfig: { type: "string", extract: { pattern: extract, flags: "", group: 0 } },
    };
    const made = await noisy.api.post("/v0/definitions", { name: extract, ...definition });
    // A too large pattern may be refused when saved.
    expect([201, 400]).toContain(made.status);
    if (made.status === 400) continue;
    const evalIds = [made.body.data.id];
    await noisy.api.post("/v0/definitions/link-application", { evalIds });
  }
  for (const extract of ["(?=a)a", "(a)\\1", "(?<=a)b", "("]) {
    const { status } = await noisy.api.post("/v0/definitions", {
      name: extract,
      type: "OUTPUT_MATCH",
      globalConfig: { type: "string", extract: { pattern: extract, flags: "", group: 0 } },
    });
    expect([extract, status]).toEqual([extract, 400]);
  }
  const [attacked, own] = [await createTask(noisy, 5), await createTask(quiet, 3)];
  const runId = await triggerTasks(noisy, [attacked]);
  const [tests] = await Promise.all([
    triggerTasks(quiet, [own]).then((id) => endedTests(quiet, id)),
    quietly(quiet, 3_000),
  ]);
  for (const each of tests) expect(each.status).toBe("COMPLETED");
  await endedTests(noisy, runId);
});

test("a trace of 10,000 steps is judged, and no other tenant waits", async () => {
  const noisy = await judgedBy(healthy.url, { type: "RECALL" });
  const silent = await startAnswering(() => undefined);
  expect((await noisy.api.post("/v0/webhook", { url: silent.url })).status).toBe(200);
  const runId = await triggerTasks(noisy, [await createTask(noisy, 1)]);
  await expect.poll(() => silent.prompts.length).toBe(1);
  const [prompt] = silent.prompts;
  const steps = Array.from({ length: 10_000 }, (_, at) =>
    at % 2 === 0
      ? { type: "retriever", query: "Fees", result: `Cards are free, says passage ${at}.` }
      : { type: "log", name: `step ${at}`, output: { text: "nothing" } },
  );
  const events = [{ type: "trace", testId: prompt?.testId, steps: [...steps, { type: "response", content: "Free." }] }];
  const ingested = await noisy.api.post("/v0/ingest", { events });
  expect(ingested.status, JSON.stringify(ingested.body).slice(0, 300)).toBeLessThan(300);
  const own = await createTask(quiet, 3);
  const [tests] = await Promise.all([
    triggerTasks(quiet, [own]).then((id) => endedTests(quiet, id)),
    quietly(quiet, 3_000),
  ]);
  for (const each of tests) expect(each.status).toBe("COMPLETED");
  expect(await endedTests(noisy, runId)).toHaveLength(1);
  await silent[Symbol.asyncDispose]();
});
