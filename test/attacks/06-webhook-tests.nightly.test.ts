// Tests of a webhook whose receiver never answers: each waits for up to 19 seconds.

import { afterAll, expect, test } from "vitest";
import type { Answer } from "../harness/api.ts";
import { startAttacked } from "../harness/attacked-product.ts";
import { startEventReceiver } from "../harness/event-receiver.ts";

const receiver = await startEventReceiver();
afterAll(() => receiver.close());
const hanging = await receiver.another("hanging.ems.test");
hanging.behave({ kind: "hang" });
// Shorter than the default, to shorten the test.
const product = await startAttacked("one", { ...receiver.env, WEBHOOK_ATTEMPT_TIMEOUT_MS: "8000" });

const attackers = 300;
const quietCalls = 40;

test("300 at once: other tenants' requests and tests of theirs are answered", async () => {
  const [loud, quiet] = [await product.tenant(), await product.tenant()];
  expect((await loud.api.post("/v0/webhook", { url: hanging.url })).status).toBe(200);
  expect((await quiet.api.post("/v0/webhook", { url: receiver.url })).status).toBe(200);

  // More than one key may send concurrently: two keys do.
  const another = await loud.api.post("/v0/api-keys", { name: "another" });
  const keys = [loud.api, loud.api.as({ apiKey: another.body.data.key })] as const;
  const answers: Answer[] = [];
  const requests = Array.from({ length: attackers }, async (_, index) => {
    answers.push(await keys[index % 2 === 0 ? 0 : 1].post("/v0/webhook/test", {}));
  });
  await expect.poll(() => hanging.inHand().size).toBeGreaterThan(0);

  const statuses: number[] = [];
  const times: number[] = [];
  for (let call = 0; call < quietCalls; call += 1) {
    const startedMs = performance.now();
    statuses.push((await quiet.api.get("/v0/webhook")).status);
    times.push(performance.now() - startedMs);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(statuses).toEqual(Array.from({ length: quietCalls }, () => 200));
  // Half of them: on a busy machine, some may be late.
  expect(times.toSorted((a, b) => a - b)[quietCalls / 2]).toBeLessThan(1_000);
  expect((await quiet.api.post("/v0/webhook/test", {})).body).toMatchObject({ success: true });

  // Nearly all are refused at once: they occupy no slot of the gateway while four wait.
  await expect.poll(() => answers.length).toBeGreaterThan(attackers - 10);
  for (const { status, headers, body } of answers) {
    expect([200, 429]).toContain(status);
    if (status !== 429) continue;
    expect(body.message).toMatch(/^Too many (requests|webhook tests) of this application( at once)?$/);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  // The worker's slots for one endpoint, not one slot per request.
  expect(hanging.inHand().size).toBeLessThanOrEqual(4);
  await Promise.all(requests);
});

test("its own variant: repeats under one Idempotency-Key wait for one delivery, and count as well", async () => {
  const loud = await product.tenant();
  expect((await loud.api.post("/v0/webhook", { url: hanging.url })).status).toBe(200);
  const sent = { json: {}, headers: { "idempotency-key": "again-and-again" } };
  const answers: number[] = [];
  const requests = Array.from({ length: 50 }, async () => {
    answers.push((await loud.api.send("POST", "/v0/webhook/test", sent)).status);
  });
  // Those that arrive during the first one get 409.
  await expect
    .poll(() => answers.filter((status) => status === 429 || status === 409).length)
    .toBeGreaterThanOrEqual(46);
  await Promise.all(requests);
  for (const status of answers) expect([200, 409, 429]).toContain(status);
});
