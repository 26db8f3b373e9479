// Unused connections: silent from the start, idle after a request, half open, or with bytes that are no request.

import { afterEach, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { scrape } from "../harness/exposition.ts";
import { quietly } from "../harness/quiet-tenant.ts";
import { rawClients, requestHead, statusesIn } from "../harness/raw-client.ts";

const product = await startAttacked("one", { KEEP_ALIVE_MS: "3000" });
const { baseUrl, adminUrl } = product.facts;
const quiet = await product.tenant();

/** Number of sockets that the process has open, of any type. */
async function openSockets(): Promise<number> {
  const samples = await scrape(adminUrl);
  const sockets = samples.find(
    ({ name, labels }) => name === "nodejs_active_resources" && labels.type === "TCPSocketWrap",
  );
  return sockets?.value ?? Number.NaN;
}

const before = await openSockets();
const soon = { timeout: 60_000, interval: 250 };

afterEach(() => expect.poll(openSockets, soon).toBeLessThan(before + 20));

test("100 connections that send no byte get an answer and are closed, even if the client leaves its end open", async () => {
  const clients = await rawClients(100, baseUrl, "", { allowHalfOpen: true });
  await expect.poll(openSockets, soon).toBeGreaterThan(before + 80);
  await quietly(quiet, 2_000);
  for (const client of clients) client.read();
  await expect.poll(() => clients.filter(({ received }) => received() !== "").length, soon).toBe(100);
  expect(new Set(clients.flatMap(({ received }) => statusesIn(received())))).toEqual(new Set([408]));
  await expect.poll(openSockets, soon).toBeLessThan(before + 20);
});

test("100 connections that send empty lines after a request, and half-open ones, are closed all the same", async () => {
  const clients = await rawClients(100, baseUrl, requestHead("GET /livez"), { allowHalfOpen: true });
  for (const client of clients) client.read();
  const lines = setInterval(() => {
    for (const { socket } of clients) socket.write("\r\n");
  }, 500);
  await quietly(quiet, 1_000);
  await expect.poll(openSockets, soon).toBeLessThan(before + 20);
  clearInterval(lines);
  for (const { received } of clients) expect(statusesIn(received())[0]).toBe(200);
});
