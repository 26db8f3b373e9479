import { describe, expect, test } from "vitest";
import { openConsole } from "../../test/console.ts";

const { app, gatewayWith } = await openConsole();

describe("pages", () => {
  test("every page path has the same HTML, with a policy and a nonce of its own", async () => {
    const html = { accept: "text/html,*/*" };
    const [first, second] = [await app.inject({ url: "/" }), await app.inject({ url: "/topics/1?q=2", headers: html })];
    const nonces = [first, second].map(({ headers, body }) => {
      const policy = String(headers["content-security-policy"]);
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
      expect(body).toBe(`<meta nonce="${nonce}"><style nonce="${nonce}"></style>`);
      expect(policy).toContain("default-src 'none'; script-src 'self'; ");
      expect(policy).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default");
      expect(headers).toMatchObject({ "cache-control": "no-store", "x-frame-options": "DENY" });
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
  });

  test.each(["/v0/nothing", "/v1/x", "/docs/x", "/console/x", "/openapi.json/x"])("%s is not a page", async (url) => {
    const { statusCode, json } = await app.inject({ url, headers: { accept: "text/html" } });
    expect([statusCode, json()]).toEqual([404, { message: "Resource not found" }]);
  });

  test("a program that requests an unknown path gets no page, nor does a change", async () => {
    expect((await app.inject({ url: "/topics" })).statusCode).toBe(404);
    expect((await app.inject({ method: "POST", url: "/topics", headers: { accept: "text/html" } })).statusCode).toBe(
      404,
    );
  });

  test("files are immutable and compressed; an unknown one is 404", async () => {
    const url = "/console/assets/app-1a2b.js";
    const { headers, body } = await app.inject({ url, headers: { "accept-encoding": "gzip, br" } });
    expect(headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-encoding": "br",
      "content-type": expect.stringContaining("/javascript"),
      "x-content-type-options": "nosniff",
    });
    expect([body, (await app.inject({ url })).body]).toEqual(["brotli", "plain"]);
    for (const other of ["app-2.js", "..%2f..%2findex.html", "app-1a2b.js/x"]) {
      const { statusCode, json } = await app.inject({
        url: `/console/assets/${other}`,
        headers: { accept: "text/html" },
      });
      expect([other, statusCode, json()]).toEqual([other, 404, { message: "Resource not found" }]);
    }
  });

  test("when off, no page or file is served", async () => {
    const off = await gatewayWith({ CONSOLE: "off" });
    for (const url of [
      "/",
      "/topics",
      "/console/assets/app-1a2b.js",
      "/console/api/session",
      "/console/api/v0/topics",
    ]) {
      expect([url, (await off.inject({ url, headers: { accept: "text/html" } })).statusCode]).toEqual([url, 404]);
    }
  });
});
