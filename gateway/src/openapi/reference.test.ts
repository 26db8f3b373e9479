import { gunzipSync } from "node:zlib";
import { services } from "@ems/proto/services";
import { testKeys } from "@ems/test-support/rpc-keys";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { gatewayConfig } from "../config.ts";
import { listRoutes } from "../rest/routes.ts";
import { registerReference } from "./reference.ts";

const app = Fastify();
await registerReference(app, listRoutes(services), gatewayConfig(testKeys));

test("the document is public and has an ETag", async () => {
  const first = await app.inject("/openapi.json");
  expect(first.statusCode).toBe(200);
  expect(first.headers["content-type"]).toMatch(/^application\/json/);
  expect(first.json()).toMatchObject({ openapi: "3.1.0", info: { version: "0.1.0" } });
  const repeat = await app.inject({ url: "/openapi.json", headers: { "if-none-match": String(first.headers.etag) } });
  expect([repeat.statusCode, repeat.body]).toEqual([304, ""]);
});

test("the content security policy restricts the page to its own origin", async () => {
  const { headers, body } = await app.inject("/docs");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain("default-src 'self'");
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]+=*';/);
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "DENY" });
  expect(body).not.toMatch(/https?:/);
});

test("Scalar's external connections are off", async () => {
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

test("the page's script is compressed for clients that accept it", async () => {
  const plain = await app.inject("/docs/scalar.js");
  expect(plain.headers["content-encoding"]).toBeUndefined();
  const compressed = await app.inject({ url: "/docs/scalar.js", headers: { "accept-encoding": "br, gzip" } });
  expect(compressed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(compressed.rawPayload).equals(plain.rawPayload)).toBe(true);
  const refused = await app.inject({ url: "/docs/scalar.js", headers: { "accept-encoding": "gzip;q=0" } });
  expect(refused.headers["content-encoding"]).toBeUndefined();
});
