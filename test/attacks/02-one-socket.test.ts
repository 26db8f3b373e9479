// One connection without a key: pipelined requests, and the client never reads the answers.

import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { quietly } from "../harness/quiet-tenant.ts";
import { rawClient, rawClients, requestHead } from "../harness/raw-client.ts";

const product = await startAttacked();
const { baseUrl } = product.facts;
const quiet = await product.tenant();

test("700 pipelined requests behind a large static file, never read", async () => {
  const attacker = await rawClient(baseUrl, requestHead("GET /docs/scalar.js") + requestHead("GET /livez").repeat(700));
  await quietly(quiet, 3_000);
  expect((await fetch(`${baseUrl}/livez`)).status).toBe(200);
  attacker.read();
  expect(await attacker.closed).toBeLessThan(30_000);
});

test("12 connections, each with 60 requests without a key behind a large file, never read", async () => {
  const text = requestHead("GET /docs/scalar.js") + requestHead("POST /v0/topics", { "content-length": 0 }).repeat(60);
  const attackers = await rawClients(12, baseUrl, text);
  await quietly(quiet, 3_000);
  for (const path of ["/livez", "/readyz", "/docs", "/openapi.json"]) {
    expect((await fetch(baseUrl + path)).status).toBe(200);
  }
  for (const attacker of attackers) attacker.socket.destroy();
  await quietly(quiet, 500);
});
