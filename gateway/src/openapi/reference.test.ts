import { gunzipSync } from "node:zlib";
import { allServices } from "@ems/kit/json/public-messages";
import { testKeys } from "@ems/test-support/rpc-keys";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { gatewayConfig } from "../config.ts";
import { ratePolicies } from "../limits/rate-limits.ts";
import { routesOf } from "../rest/routes.ts";
import { registerReference } from "./reference.ts";

const app = Fastify();
const policies = ratePolicies(gatewayConfig(testKeys));
await registerReference(app, routesOf(await allServices()), policies);

test("the document is public, and known by its tag", async () => {
  const first = await app.inject("/openapi.json");
  expect(first.statusCode).toBe(200);
  expect(first.headers["content-type"]).toMatch(/^application\/json/);
  expect(first.json()).toMatchObject({ openapi: "3.1.0", info: { version: "0.1.0" } });
  const again = await app.inject({ url: "/openapi.json", headers: { "if-none-match": String(first.headers.etag) } });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
});

test("the page may load and ask for things of its own origin only", async () => {
  const { headers, body } = await app.inject("/docs");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain("default-src 'self'");
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]+=*';/);
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "DENY" });
  expect(body).not.toMatch(/https?:/);
});

test("what of Scalar talks to its makers is off", async () => {
  const { body } = await app.inject("/docs/");
  const configuration = JSON.parse(/createApiReference\('#app', (\{[\s\S]*\})\)/.exec(body)?.[1] ?? "");
  expect(configuration).toMatchObject({
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: "",
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
  });
});

test("the page's script is sent compressed to those who take it so", async () => {
  const plain = await app.inject("/docs/scalar.js");
  expect(plain.headers["content-encoding"]).toBeUndefined();
  const packed = await app.inject({ url: "/docs/scalar.js", headers: { "accept-encoding": "br, gzip" } });
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
  const refused = await app.inject({ url: "/docs/scalar.js", headers: { "accept-encoding": "gzip;q=0" } });
  expect(refused.headers["content-encoding"]).toBeUndefined();
});
