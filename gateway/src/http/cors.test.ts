import { systemClock } from "@ems/kit/clock";
import { Health } from "@ems/kit/health";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { testKeys } from "@ems/test-support/rpc-keys";
import { afterAll, expect, test } from "vitest";
import { gatewayConfig, gatewaySettings } from "../config.ts";
import { createGateway } from "../server.ts";

const origin = "https://app.example.com";

async function gatewayWith(env: Record<string, string>) {
  const deps = {
    log: createLog("test", "silent"),
    clock: systemClock,
    newId,
    health: new Health(async () => undefined),
  };
  const peer = () => {
    throw new Error("no request reaches a service");
  };
  const { app } = await createGateway(gatewayConfig({ ...testKeys, ...env }), { ...deps, peer });
  afterAll(() => app.close());
  return app;
}

const off = await gatewayWith({});
const on = await gatewayWith({ CORS_ORIGINS: `https://other.example.com, ${origin}` });
const preflight = (url: string, from = origin) =>
  ({ method: "OPTIONS", url, headers: { origin: from, "access-control-request-method": "POST" } }) as const;

test("a preflight for a configured origin returns the path's methods", async () => {
  const { statusCode, headers } = await on.inject(preflight("/v0/style-guides"));
  expect(statusCode).toBe(204);
  expect(headers).toMatchObject({
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, HEAD, POST",
    "access-control-allow-headers": expect.stringContaining("x-api-key, x-application-id"),
    "access-control-max-age": "7200",
    vary: "origin",
  });
  expect((await on.inject(preflight("/v0/nothing"))).statusCode).toBe(404);
  const foreign = await on.inject(preflight("/v0/style-guides", "https://evil.example.com"));
  expect([foreign.statusCode, foreign.headers["access-control-allow-origin"]]).toEqual([405, undefined]);
});

test("a script of such an origin may read every response and its headers, including errors", async () => {
  for (const url of ["/v0/topics", "/v0/nothing", "/v0/topics/%FF", "/livez"]) {
    const { headers } = await on.inject({ url, headers: { origin } });
    expect([url, headers["access-control-allow-origin"]]).toEqual([url, origin]);
    expect(headers["access-control-expose-headers"]).toContain("ratelimit-policy, retry-after, x-request-id");
  }
  const { headers } = await on.inject({ url: "/openapi.json", headers: { origin } });
  expect(headers.vary).toBe("accept-encoding, origin");
});

test("without the setting there is no CORS", async () => {
  const refused = await off.inject(preflight("/v0/style-guides"));
  expect([refused.statusCode, refused.headers.allow]).toEqual([405, "GET, HEAD, POST"]);
  for (const { headers } of [refused, await off.inject({ url: "/livez", headers: { origin } })]) {
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control") || name === "vary")).toEqual([]);
  }
});

test.each(["*", "app.example.com", "https://app.example.com/", "https://app.example.com/path", "https://a.com,,"])(
  "%s is not a list of origins",
  (text) => {
    expect(gatewaySettings.CORS_ORIGINS.safeParse(text).success).toBe(false);
  },
);
