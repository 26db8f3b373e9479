// Requests that pages of other sites can cause, with each method and each form encoding; and sign-ins with guessed,
// late or used codes. Sent as browsers do, with a session's cookie.

import { generateKeyPairSync } from "node:crypto";
import { signInLink } from "@ems/gateway/console/sign-in-link";
import { formKey, keyBytes } from "@ems/kit/api-key";
import { secureRandom } from "@ems/kit/id";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const sealingKey = `test:${Buffer.from(secureRandom(32)).toString("base64")}`;
const product = await startAttacked("one", { CONSOLE_SEALING_KEYS: sealingKey });
const { baseUrl } = product.facts;
const { origin } = new URL(baseUrl);
const session = "/console/api/session";
type Headers = Record<string, string>;

const json = { "content-type": "application/json" };
const send = (method: string, path: string, headers: Headers, body?: string) =>
  fetch(`${baseUrl}${path}`, { method, headers, redirect: "manual", ...(body !== undefined && { body }) });

async function signIn(credentials: object, headers: Headers = { origin }) {
  const startMs = performance.now();
  const response = await send("POST", session, { ...json, ...headers }, JSON.stringify(credentials));
  const body = (await response.json()) as Record<string, unknown>;
  const cookie = response.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  return { status: response.status, cookie, body, tookMs: performance.now() - startMs };
}

/** A signed-in tenant with a topic. */
async function signedIn() {
  const { api, apiKey, applicationId } = await product.tenant();
  const topic = (await api.post("/v0/topics", { title: "Opening an account" })).body.data;
  const { cookie } = await signIn({ apiKey, applicationId });
  const isUntouched = async () => {
    expect((await api.get("/v0/topics")).body.data).toEqual([topic]);
    const who = await send("GET", session, { cookie });
    expect((await who.json()) as object).toMatchObject({ data: { application: { id: applicationId } } });
  };
  return { api, apiKey, applicationId, cookie, topic, isUntouched };
}

test("POST, PUT, PATCH and DELETE with the origin of another, or without one, change nothing", async () => {
  const { applicationId, cookie, topic, isUntouched } = await signedIn();
  const topicPath = `/console/api/v0/topics/${topic.id}`;
  const changes: [string, string, object | undefined][] = [
    ["POST", "/console/api/v0/topics", { title: "Mine now" }],
    ["PUT", topicPath, { title: "Mine now" }],
    ["PATCH", "/console/api/v0/topics", { topicIds: [topic.id], title: "Mine now" }],
    ["POST", `${topicPath}/archive`, { cascade: true }],
    ["DELETE", session, undefined],
  ];
  const froms: Headers[] = [
    {},
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: origin.replace("http:", "https:") },
    { origin: `${origin}.evil.example` },
    { origin: `${origin} https://evil.example` },
    { origin, "sec-fetch-site": "cross-site" },
    { referer: `${origin}/topics` },
  ];
  for (const from of froms) {
    for (const [method, path, body] of changes) {
      const named = { ...json, cookie, "x-application-id": applicationId, ...from };
      const { status } = await send(method, path, named, body && JSON.stringify(body));
      expect([method, path, from, status]).toEqual([method, path, from, 403]);
    }
  }
  await isUntouched();
  // The session itself is permitted: the origin caused the refusals above.
  const own = { ...json, cookie, "x-application-id": applicationId, origin };
  expect((await send("PUT", topicPath, own, JSON.stringify({ title: "Mine" }))).status).toBe(200);
});

test("GET and HEAD have no effect, whatever other method they name", async () => {
  const { cookie, topic, isUntouched } = await signedIn();
  const topicPath = `/console/api/v0/topics/${topic.id}`;
  const navigation = { cookie, "sec-fetch-site": "none", "sec-fetch-mode": "navigate" };
  for (const method of ["GET", "HEAD"]) {
    for (const other of ["DELETE", "PUT", "POST"]) {
      const overridden = { ...navigation, "x-http-method-override": other, "x-http-method": other };
      for (const path of [topicPath, `${topicPath}/archive`, session, "/console/api/v0/topics"]) {
        const query = `?_method=${other}&title=Mine+now&cascade=true`;
        const { status } = await send(method, `${path}${query}`, overridden);
        expect([method, path, status >= 500]).toEqual([method, path, false]);
      }
    }
  }
  // A link or an image of another site cannot read either.
  const { status } = await send("GET", topicPath, { ...navigation, "sec-fetch-site": "cross-site" });
  expect(status).toBe(403);
  await isUntouched();
});

test("bodies that forms can send change nothing and sign no one in, even from a page of the product", async () => {
  const { apiKey, applicationId, cookie, isUntouched } = await signedIn();
  const types = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"];
  for (const from of [{ origin }, { origin: "https://evil.example" }]) {
    for (const type of types) {
      const form = { ...from, cookie, "content-type": type, "x-application-id": applicationId };
      for (const body of ['{"title":"Mine now"}', "title=Mine+now", '{"title":"Mine now","x":"=\r\n"}']) {
        const { status } = await send("POST", "/console/api/v0/topics", form, body);
        expect([type, [403, 415].includes(status)]).toEqual([type, true]);
      }
      const signed = await send("POST", session, form, JSON.stringify({ apiKey, applicationId }));
      expect([403, 415]).toContain(signed.status);
      expect(signed.headers.get("set-cookie")).toBeNull();
    }
  }
  await isUntouched();
});

test("no answer of the console's API lets a page of another origin read it", async () => {
  const { cookie, topic } = await signedIn();
  for (const path of [session, `/console/api/v0/topics/${topic.id}`]) {
    const evil = { cookie, origin: "https://evil.example" };
    const preflight = { ...evil, "access-control-request-method": "PUT" };
    for (const response of [await send("GET", path, evil), await send("OPTIONS", path, preflight)]) {
      const names = [...response.headers.keys()].filter((name) => name.startsWith("access-control-allow"));
      expect([path, response.ok, names]).toEqual([path, false, []]);
    }
  }
});

// Last, since its failures count for this address.
test("codes that are late, early, used or guessed sign no one in, and guessing waits ever longer", async () => {
  const { apiKey, applicationId } = await product.tenant();
  const { privateKey } = generateKeyPairSync("ed25519");
  const codeAt = (ms: number, sealingKeys = sealingKey) => {
    const settings = { CONSOLE_SEALING_KEYS: sealingKeys, RPC_PRIVATE_KEY: privateKey };
    return new URL(signInLink(settings, baseUrl, apiKey, ms)).hash.replace("#code=", "");
  };
  const code = codeAt(Date.now());
  expect((await signIn({ code })).status).toBe(200);
  const none = [
    code,
    codeAt(Date.now() - 120_001),
    codeAt(Date.now() + 60_000),
    codeAt(Date.now(), `test:${Buffer.alloc(32, 1).toString("base64")}`),
    `${codeAt(Date.now()).slice(0, -6)}AAAAAA`,
    "test:AAAA",
  ];
  for (const code of none) {
    const { status, cookie } = await signIn({ code });
    expect([code, status, cookie]).toEqual([code, 401, ""]);
  }
  const guesses = Array.from({ length: 40 }, (_, i) =>
    signIn(i % 2 === 0 ? { code: `test:${i}` } : { apiKey: formKey(secureRandom(keyBytes)), applicationId }),
  );
  for (const { status, cookie } of await Promise.all(guesses)) expect([status, cookie]).toEqual([401, ""]);
  expect((await signIn({ code: "test:AAAA" })).tookMs).toBeGreaterThan(900);
  // Clients with a key are not delayed by them.
  expect((await signIn({ apiKey, applicationId })).status).toBe(200);
});
