// Addresses and ports that must not be reachable: metrics through a site whose name resolves to the admin port, webhooks to
// names of cloud metadata services and of the product, and webhooks to ports of other protocols.

import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked("mesh");
const { api } = await product.tenant();
const processes: { name: string; adminUrl: string }[] = JSON.parse(
  await readFile(join(product.facts.dataDir, "mesh.json"), "utf8"),
);

/** Fetch sets the Host header itself. */
function readStatus(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host } }, (response) => resolve(response.resume().statusCode));
    sent.on("error", reject).end();
  });
}

test("every process serves its metrics under addresses and names of its network, and under no public host name", async () => {
  expect(processes.length).toBeGreaterThan(5);
  for (const { name, adminUrl } of processes) {
    for (const host of [new URL(adminUrl).host, `${name}:9090`, "10.244.1.7:9090", "[fd00::7]:9090"]) {
      expect([name, host, await readStatus(`${adminUrl}/metrics`, host)]).toEqual([name, host, 200]);
    }
    for (const host of ["rebound.example.com:9090", "127.0.0.1.example.com", "LOCALHOST.example.com"]) {
      for (const path of ["/metrics", "/metrics?x=1"]) {
        expect([name, path, host, await readStatus(adminUrl + path, host)]).toEqual([name, path, host, 421]);
      }
      expect([name, host, await readStatus(`${adminUrl}/livez`, host)]).toEqual([name, host, 200]);
      expect([name, host, await readStatus(`${adminUrl}/readyz`, host)]).toEqual([name, host, 200]);
    }
  }
});

describe("a webhook is not set", () => {
  const url = "https://receiver.example.com:8443/events";

  test.each([
    ...["x-amz-security-token", "X-Amz-Date", "x-goog-api-key", "x-google-metadata-request", "x-ems-application-id"],
    ...["sec-fetch-site", "Sec-WebSocket-Key", "X-aws-ec2-metadata-token", "metadata-flavor", "x-ms-version", "te"],
  ])("with the header %s", async (name) => {
    const { status, body } = await api.post("/v0/webhook", { url, headers: { "x-team": "qa", [name]: "v" } });
    expect([status, body.issues]).toEqual([400, [expect.objectContaining({ path: ["headers", name] })]]);
  });

  test.each([...[80, 22, 1433, 2375, 2379, 3306, 4222, 5432, 6379, 6443, 9092, 9200, 10_250, 11_211, 27_017]])(
    "to port %d",
    async (port) => {
      const { status, body } = await api.post("/v0/webhook", { url: `https://receiver.example.com:${port}/events` });
      expect([status, body.issues]).toEqual([400, [expect.objectContaining({ path: ["url"] })]]);
    },
  );

  test("by these tries; one that is allowed is", async () => {
    expect((await api.get("/v0/webhook")).body.data).toBeNull();
    const allowed = await api.post("/v0/webhook", { url, headers: { "x-team": "qa", authorization: "Bearer k" } });
    expect(allowed.status).toBe(200);
  });
});
