// Webhooks with an unroutable address: connect fails in the same turn of the event loop. No process may exit, and the delivery
// is recorded as refused.

import { startDnsServer } from "@ems/test-support/dns-server";
import { afterAll, describe, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import type { Shape } from "../harness/product.ts";

const dns = await startDnsServer();
afterAll(() => dns.close());

// Multicast and broadcast addresses fail on every machine, like a public IPv6 address without a route.
const unroutable = { DNS_SERVERS: dns.address, WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,ff0e::/16,255.255.255.255/32" };
dns.set("aaaa-only.example.com", ["ff0e::1"]);
dns.set("broadcast.example.com", ["255.255.255.255"]);
dns.set("several.example.com", ["ff0e::1", "255.255.255.255", "ff0e::2"]);
dns.set("mixed.example.com", ["255.255.255.255", "127.0.0.1", "ff0e::1"]);

describe.each<Shape>(["one", "mesh"])("in shape %s", async (shape) => {
  const product = await startAttacked(shape, unroutable);
  const quiet = await product.tenant();

  test.each([
    ["only an IPv6 address that cannot be routed", "https://aaaa-only.example.com/events"],
    ["only an IPv4 address that cannot be routed", "https://broadcast.example.com:8443/events"],
    ["several of both families", "https://several.example.com/events"],
    ["one among them where nobody listens", "https://mixed.example.com:65535/events"],
    ["a literal", "https://[ff0e::1]/events"],
  ])("a webhook to %s is a refused delivery", async (_, url) => {
    const { api } = await product.tenant();
    expect((await api.post("/v0/webhook", { url })).status).toBe(200);
    const tests = await Promise.all([1, 2, 3].map(() => api.post("/v0/webhook/test")));
    for (const { status, body } of tests) expect([status, body.success]).toEqual([200, false]);
    // An event is retried on schedule.
    expect((await api.post("/v0/topics", { title: "told to nobody" })).status).toBe(201);
    const delivery = async () => (await api.get("/v0/webhook/deliveries?type=topic.created")).body.data[0];
    await expect.poll(delivery).toMatchObject({ status: "PENDING", lastOutcome: "CONNECTION_REFUSED" });
    const { attempts } = (await api.get(`/v0/webhook/deliveries/${(await delivery()).id}`)).body;
    expect(attempts[0]).toMatchObject({ outcome: "CONNECTION_REFUSED", statusCode: null });
    expect((await quiet.api.get("/v0/topics")).status).toBe(200);
    expect([product.process.exitCode, product.stderr()]).toEqual([null, expect.not.stringContaining("ended")]);
  });
});
