// Bodies that never end: they occupy nothing that another tenant needs.

import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { quietly } from "../harness/quiet-tenant.ts";
import { rawClients, requestHead, statusesIn } from "../harness/raw-client.ts";
import type { TestTenant } from "../harness/tenant.ts";

const product = await startAttacked("one", { CONNECTIONS_PER_ADDRESS_MAX: "2000" });
const { baseUrl } = product.facts;
const quiet = await product.tenant();

const credentials = ({ apiKey, applicationId }: TestTenant) => ({
  "x-api-key": apiKey,
  "x-application-id": applicationId,
  "content-type": "application/json",
});

const tenants = [await product.tenant(), await product.tenant(), await product.tenant()];

/** As many per application as its key may send concurrently. */
const fromEach = (head: (tenant: TestTenant) => string) =>
  Promise.all(tenants.map((tenant) => rawClients(195, baseUrl, head(tenant)))).then((clients) => clients.flat());

test("half of a body, 585 times from three applications", async () => {
  const attackers = await fromEach(
    (tenant) => `${requestHead("POST /v0/topics", { ...credentials(tenant), "content-length": 100 })}{"title":`,
  );
  await quietly(quiet, 3_000);
  // Refusals name the limited application and have Retry-After.
  const answered = () => attackers.map(({ received }) => received()).filter((text) => text !== "");
  for (const attacker of attackers) attacker.read();
  await expect.poll(() => answered().length).toBeGreaterThan(300);
  expect(new Set(answered().flatMap(statusesIn))).toEqual(new Set([429]));
  for (const text of answered()) {
    expect(text).toMatch(/\r\nretry-after: \d+\r\n/i);
    expect(text).toContain("of this application");
  }
  for (const { socket } of attackers) socket.destroy();
});

test("packed chunks without an end, from three applications and from strangers", async () => {
  await Promise.all(tenants.map(({ api }) => expect.poll(async () => (await api.get("/v0/tags")).status).toBe(200)));
  const packed = { "content-encoding": "gzip", "transfer-encoding": "chunked" };
  const chunk = "a\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\r\n";
  const attackers = await fromEach(
    (tenant) => requestHead("POST /v0/documents", { ...credentials(tenant), ...packed }) + chunk,
  );
  const unknown = requestHead("POST /v0/documents", { "content-type": "application/json", ...packed });
  const unauthenticated = await rawClients(200, baseUrl, unknown + chunk);
  await quietly(quiet, 3_000);
  // An unauthenticated body is not awaited: the answer is immediate, then the connection ends.
  for (const stranger of unauthenticated.map((client) => client.read())) {
    expect(await stranger.closed).toBeLessThan(12_000);
    expect(statusesIn(stranger.received())).toEqual([401]);
  }
  for (const { socket } of attackers) socket.destroy();
});
