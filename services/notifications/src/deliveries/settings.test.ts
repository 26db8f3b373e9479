import { readConfig } from "@ems/kit/config";
import { usualPorts } from "@ems/kit/hosts";
import { expect, test } from "vitest";
import { checkDeliverySettings, deliverySettings } from "./settings.ts";

function read(env: Record<string, string>) {
  const config = readConfig(deliverySettings, env);
  checkDeliverySettings(config);
  return config;
}

test("by default only public addresses are allowed, and limits have their documented values", () => {
  expect(read({})).toMatchObject({
    WEBHOOK_ALLOW_CIDRS: [],
    DNS_SERVERS: [],
    WEBHOOK_DNS_TIMEOUT_MS: 3_000,
    WEBHOOK_CONNECT_TIMEOUT_MS: 5_000,
    WEBHOOK_ATTEMPT_TIMEOUT_MS: 15_000,
    WEBHOOK_CONCURRENCY: 64,
    WEBHOOK_ENDPOINT_CONCURRENCY: 4,
    WEBHOOK_LEASE_MS: 30_000,
    WEBHOOK_FAILING_MS: 432_000_000,
    WEBHOOK_PORTS: usualPorts,
  });
});

test("WEBHOOK_PORTS lists exactly the allowed ports", () => {
  expect(read({ WEBHOOK_PORTS: "443,9200-9299" }).WEBHOOK_PORTS).toEqual([
    { first: 443, last: 443 },
    { first: 9200, last: 9299 },
  ]);
});

test("in production private addresses need WEBHOOK_ALLOW_PRIVATE", () => {
  const open = { WEBHOOK_ALLOW_CIDRS: "10.1.0.0/16, fd00::/8" };
  expect(read(open).WEBHOOK_ALLOW_CIDRS).toEqual(["10.1.0.0/16", "fd00::/8"]);
  expect(() => read({ ...open, NODE_ENV: "production" })).toThrow("WEBHOOK_ALLOW_PRIVATE=yes");
  expect(() => read({ ...open, NODE_ENV: "production", WEBHOOK_ALLOW_PRIVATE: "no" })).toThrow();
  expect(read({ ...open, NODE_ENV: "production", WEBHOOK_ALLOW_PRIVATE: "yes" })).toMatchObject({
    WEBHOOK_ALLOW_PRIVATE: "yes",
  });
});

test.each<Record<string, string>>([
  { WEBHOOK_ALLOW_CIDRS: "10.1.0.0" },
  { WEBHOOK_ALLOW_CIDRS: "10.1.0.0/33" },
  { WEBHOOK_ALLOW_CIDRS: "example.com/8" },
  { WEBHOOK_PORTS: "https" },
  { DNS_SERVERS: "dns.example.com" },
  { DNS_SERVERS: "127.0.0.999" },
  { DNS_SERVERS: "[127.0.0.1]:53" },
  { DNS_SERVERS: "127.0.0.1:65536" },
  { WEBHOOK_LEASE_MS: "29999" },
])("%j is refused", (env) => {
  expect(() => read(env)).toThrow(Object.keys(env)[0]);
});

test.each(["127.0.0.1", "127.0.0.1:5353", "[::1]:5353", "127.0.0.1,127.0.0.2:53"])(
  "DNS_SERVERS may be %s",
  (servers) => {
    expect(read({ DNS_SERVERS: servers }).DNS_SERVERS).toEqual(servers.split(","));
  },
);
