// Receivers with a fast status and a slow body: the status decides, and the delivery ends.

import { startWebhookNetwork } from "@ems/test-support/webhook-network";
import type { Behaviour } from "@ems/test-support/webhook-receiver";
import { afterAll, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const end = await startWebhookNetwork();
afterAll(() => end.close());
const product = await startAttacked("one", end.env);
const receiver = await end.receiver("slow.example.com");

const raw = (lines: readonly string[]): Behaviour => ({ kind: "raw", text: lines.join("\r\n") });

test.each<[string, Behaviour]>([
  ["never ends", { kind: "hang-after-headers" }],
  ["drips", { kind: "drip", everyMs: 50 }],
  ["drips after 202", { kind: "drip", everyMs: 50, status: 202 }],
  ["is reset", { kind: "reset-in-body" }],
  ["is shorter than it promised", { kind: "short-body" }],
  ["is no chunks", raw(["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "2", "ok", "no chunk"])],
])("a delivery that is answered with 2xx and a body that %s is delivered, once", async (_, behaviour) => {
  receiver.behave(behaviour);
  const { api } = await product.tenant();
  expect((await api.post("/v0/webhook", { url: `${receiver.origin}/` })).status).toBe(200);
  const startedMs = performance.now();
  expect((await api.post("/v0/webhook/test")).body).toMatchObject({ success: true, error: null });
  expect(performance.now() - startedMs).toBeLessThan(10_000);

  await api.post("/v0/topics", { title: "told once" });
  const list = async () => (await api.get("/v0/webhook/deliveries?type=topic.created")).body.data;
  await expect.poll(list).toMatchObject([{ status: "DELIVERED", attemptCount: 1 }]);
  expect(product.process.exitCode).toBeNull();
});

test.each([
  [503, "HTTP_STATUS"],
  [302, "REDIRECT"],
])("%i with a body that drips is that status, not a time-out", async (status, outcome) => {
  receiver.behave({ kind: "drip", everyMs: 50, status });
  const { api } = await product.tenant();
  await api.post("/v0/webhook", { url: `${receiver.origin}/` });
  expect((await api.post("/v0/webhook/test")).body).toMatchObject({ success: false, statusCode: status });
  const [delivery] = (await api.get("/v0/webhook/deliveries?type=webhook.test")).body.data;
  expect(delivery).toMatchObject({ lastOutcome: outcome });
});
