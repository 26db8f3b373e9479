// Erasures without pause: each is counted and runs in the background; another tenant's work continues.

import { expect, test, vi } from "vitest";
import type { Answer } from "../harness/api.ts";
import { startAttacked } from "../harness/attacked-product.ts";
import { quietly } from "../harness/quiet-tenant.ts";

const product = await startAttacked();
const [noisy, quiet] = [await product.tenant(), await product.tenant()];
const [connections, attackMs] = [10, 5_000];

const longName = (number: number) => "\u{1f338}".repeat(9_995) + String(number).padStart(5, "0");

const ended = (id: string, { api } = quiet) =>
  vi.waitFor(
    async () => {
      const { data } = (await api.get(`/v0/erasures/${id}`)).body;
      expect(data.status).toBe("COMPLETED");
      return data;
    },
    { timeout: 30_000, interval: 200 },
  );

test("names of 10,000 characters, over ten connections: another tenant's requests are answered, and its user is erased", async () => {
  const event = (user: string) => ({ events: [{ type: "trace", metadata: { user }, steps: [{ type: "log" }] }] });
  await noisy.api.post("/v0/ingest", event(longName(0)));
  await quiet.api.post("/v0/ingest", event("ann@example.com"));
  const answers: Answer[] = [];
  let isOver = false;
  const flood = Array.from({ length: connections }, async (_, connection) => {
    for (let sent = connection; !isOver; sent += connections)
      answers.push(await noisy.api.post("/v0/erasures", { user: longName(sent) }));
  });
  const { body } = await quiet.api.post("/v0/erasures", { user: "ann@example.com" });
  await quietly(quiet, attackMs);
  expect((await ended(body.data.id)).erased).toMatchObject({ traces: 1 });
  isOver = true;
  await Promise.all(flood);

  for (const { status, headers } of answers) {
    expect([202, 429]).toContain(status);
    if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  const made = new Set(answers.flatMap(({ body: { data } }) => data?.id ?? []));
  expect(made.size).toBeGreaterThan(0);
  for (const id of made) await ended(id, noisy);
  // The flood may use up its limit for a while.
  await expect.poll(async () => (await noisy.api.get("/v0/traces")).body.data, { timeout: 30_000 }).toEqual([]);
  expect((await noisy.api.post("/v0/erasures", { user: `${longName(0)}x` })).status).toBe(400);
});
