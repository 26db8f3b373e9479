import { formKey, keyBytes } from "@ems/kit/api-key";
import { describe, expect, test } from "vitest";
import { type Headers, openConsole } from "../../test/console.ts";
import { everyScope } from "../auth/roles.ts";
import { signInLink } from "./sign-in-link.ts";

const { ada, app, clock, readCookie, eve, gatewayWith, here, origin, readSetCookie, signIn, whoIs } =
  await openConsole();

describe("sign-in", () => {
  test("with a key begins a session in a cookie with all required attributes", async () => {
    const response = await signIn(ada);
    expect([response.statusCode, response.json().data]).toEqual([
      200,
      {
        application: { id: ada.applicationId, name: "Bank", slug: "" },
        organisation: { id: "org" },
        key: { id: `key of ${ada.applicationId}`, name: "laptop" },
        member: null,
        scopes: everyScope,
        user: { id: "u1", name: "Ada", email: null },
        applications: [],
        expiresAt: "2026-11-23T22:00:00.000Z",
      },
    ]);
    expect(readSetCookie(response)).toMatch(
      /^ems-console=rpc:[\w-]+; Max-Age=43200; Path=\/console\/api; HttpOnly; SameSite=Strict$/,
    );
    expect(response.body + readSetCookie(response)).not.toContain(ada.apiKey);
    expect(await whoIs(readCookie(response))).toEqual({
      data: response.json().data,
      canSignIn: true,
      reason: null,
      provider: null,
    });
  });

  test("over https the cookie is Secure", async () => {
    const proxied = await gatewayWith({ TRUST_PROXY: "127.0.0.1" });
    const https = { host: "ems.example.com", origin: "https://ems.example.com", "x-forwarded-proto": "https" };
    const response = await signIn(ada, https, proxied);
    expect(readSetCookie(response)).toMatch(/^__Secure-ems-console=.* HttpOnly; Secure; SameSite=Strict$/);
  });

  test("over plain http from elsewhere is refused with the reason", async () => {
    const http = { host: "ems.example.com", origin: "http://ems.example.com" };
    const response = await signIn(ada, http);
    expect([response.statusCode, readSetCookie(response)]).toEqual([422, ""]);
    expect(response.json().message).toMatch(/^Sign-in needs https: .*TRUST_PROXY/);
    const { canSignIn, reason } = await whoIs("", http);
    expect([canSignIn, reason]).toEqual([false, response.json().message]);
  });

  test.each([
    ["an unknown key", 401, { ...ada, apiKey: formKey(Buffer.alloc(keyBytes, 9)) }],
    ["another application", 403, { ...ada, applicationId: eve.applicationId }],
    ["an invalid code", 401, { code: "rpc:AAAA" }],
    ["an empty body", 400, {}],
    ["too many fields", 400, { ...ada, code: "x" }],
    ["a body that is too large", 413, { ...ada, apiKey: "x".repeat(5_000) }],
  ])("with %s is %i, without a cookie", async (_, status, payload) => {
    const response = await signIn(payload);
    expect([response.statusCode, readSetCookie(response)]).toEqual([status, ""]);
  });
});

describe("a link", () => {
  const createCode = (apiKey: string, atMs = clock.ms) =>
    signInLink(app.config, origin, apiKey, atMs).replace(`${origin}/sign-in#code=`, "");

  test("signs in once", async () => {
    const code = createCode(ada.apiKey);
    const response = await signIn({ code });
    expect(response.json().data.application.id).toBe(ada.applicationId);
    expect((await whoIs(readCookie(response))).data).not.toBeNull();
    expect((await signIn({ code })).statusCode).toBe(401);
  });

  test("signs in for two minutes, and not before this process", async () => {
    const begunMs = clock.ms;
    const code = createCode(ada.apiKey);
    clock.ms = begunMs + 120_000;
    expect((await signIn({ code })).statusCode).toBe(401);
    clock.ms = begunMs;
    expect((await signIn({ code: createCode(ada.apiKey, begunMs - 1) })).statusCode).toBe(401);
    expect((await signIn({ code: createCode(ada.apiKey, begunMs + 1) })).statusCode).toBe(401);
    expect((await signIn({ code })).statusCode).toBe(200);
  });

  test("signs in on this machine only", async () => {
    const code = createCode(ada.apiKey);
    const elsewhere = { ...here, "content-type": "application/json" };
    const send = (more: Headers, remoteAddress = "127.0.0.1") =>
      app.inject({
        method: "POST",
        url: "/console/api/session",
        headers: { ...elsewhere, ...more },
        remoteAddress,
        payload: { code },
      });
    expect((await send({}, "192.0.2.7")).statusCode).toBe(401);
    expect((await send({ "x-forwarded-for": "127.0.0.1" })).statusCode).toBe(401);
    expect((await send({}, "::1")).statusCode).toBe(200);
  });
});
