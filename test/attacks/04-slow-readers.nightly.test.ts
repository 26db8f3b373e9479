// Readers that request large answers and do not read them: the buffered bytes are bounded, and the connections closed.

import { expect, test } from "vitest";
import type { Answer } from "../harness/api.ts";
import { startAttacked } from "../harness/attacked-product.ts";
import { scrape } from "../harness/exposition.ts";
import { collectingGarbage, memoryGrowth } from "../harness/memory-in-use.ts";
import { quietly } from "../harness/quiet-tenant.ts";
import { type RawClient, rawClients, requestHead } from "../harness/raw-client.ts";
import type { TestTenant } from "../harness/tenant.ts";

const product = await startAttacked("one", collectingGarbage);
const { baseUrl, adminUrl } = product.facts;
const quiet = await product.tenant();

/** Closed connections by reason. */
async function cuts(): Promise<Record<string, number>> {
  const samples = (await scrape(adminUrl)).filter(({ name }) => name === "ems_gateway_refusals_total");
  return Object.fromEntries(samples.map(({ labels, value }) => [labels.reason, value]));
}

/** Creates a document with that many versions of this content; returns the path that lists them. */
async function largeDocument({ api }: TestTenant, content: string, versions: number): Promise<string> {
  const { document } = (await api.post("/v0/documents", { title: "Fees", content })).body;
  for (let version = 1; version < versions; version++) {
    expect((await api.post(`/v0/documents/${document.id}/versions`, { title: "Fees", content })).status).toBe(201);
  }
  return `/v0/documents/${document.id}/versions`;
}

/** Readers, each with pipelined requests: kernels buffer the first megabytes of unread answers. */
function readers(
  count: number,
  { apiKey, applicationId }: TestTenant,
  path: string,
  requests: number,
): Promise<RawClient[]> {
  const credentials = { "x-api-key": apiKey, "x-application-id": applicationId };
  return rawClients(count, baseUrl, requestHead(`GET ${path}`, credentials).repeat(requests));
}

/** Refusal for an application with too many unread answers. */
async function untakenRefusal({ api }: TestTenant): Promise<Answer | undefined> {
  const message = "Too many unread responses of this application at once";
  const answers: Answer[] = [];
  const listTopics = async () => {
    answers.push(await api.get("/v0/topics"));
    return answers.at(-1)?.body.message;
  };
  await expect.poll(listTopics, { interval: 300 }).toBe(message);
  const answer = answers.at(-1);
  expect(answer?.status).toBe(429);
  return answer;
}

test("190 requests for 3 MB, eight on a connection, whose answers are never read", async () => {
  const greedy = await product.tenant();
  const path = await largeDocument(greedy, "x".repeat(1_000_000), 3);
  const growthMib = await memoryGrowth(adminUrl, async () => {
    const attack = [untakenRefusal(greedy), quietly(quiet, 8_000), readers(24, greedy, path, 8)] as const;
    expect((await Promise.all(attack))[0]?.headers.get("retry-after")).toBe("1");
  });
  expect(growthMib).toBeLessThan(100);
  await expect.poll(async () => (await greedy.api.get("/v0/topics")).status, { interval: 500 }).toBe(200);
  expect((await cuts()).stalled).toBeGreaterThan(0);
});

test("60 connections that take a byte now and then of control characters, six times as long as what is stored", async () => {
  const greedy = await product.tenant();
  const path = await largeDocument(greedy, "\u0001".repeat(170_000), 12);
  const growthMib = await memoryGrowth(adminUrl, async () => {
    const clients = await readers(60, greedy, path, 1);
    const drip = setInterval(() => {
      for (const { socket } of clients) socket.read(1);
    }, 500);
    await quietly(quiet, 14_000).finally(() => clearInterval(drip));
  });
  expect(growthMib).toBeLessThan(100);
  const { stalled = 0, slow = 0, answers_of_application: refusals = 0 } = await cuts();
  expect(stalled + slow).toBeGreaterThan(0);
  expect(refusals).toBeGreaterThan(0);
  await expect.poll(async () => (await greedy.api.get(path)).status, { interval: 500 }).toBe(200);
});
