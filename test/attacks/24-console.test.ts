// The console's session is bound to its browser, its pages and its key: requests of another site, another tenant or with a copy are
// refused, and nothing is written.

import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked();
const { baseUrl, consoleUrl = "", applicationId } = product.facts;
const { host, origin } = new URL(baseUrl);
const ours = { origin, "sec-fetch-site": "same-origin" };
type Headers = Record<string, string>;

/** Sends a request with any headers, as a compromised browser could. `fetch` would set some of the headers itself. */
async function send(method: string, path: string, headers: Headers, json?: object) {
  const type = json === undefined ? {} : { "content-type": "application/json" };
  const call = request(new URL(path, baseUrl), { method, headers: { host, ...type, ...headers } });
  call.end(json === undefined ? undefined : JSON.stringify(json));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    call.once("response", resolve).once("error", reject);
  });
  const body = await text(response);
  const [cookie = ""] = response.headers["set-cookie"] ?? [];
  const isJson = response.headers["content-type"]?.startsWith("application/json") === true;
  return {
    status: response.statusCode,
    headers: response.headers,
    cookie: cookie.split(";", 1)[0] ?? "",
    body: isJson && body !== "" ? JSON.parse(body) : body,
  };
}

const session = "/console/api/session";
const signIn = (credentials: object, headers: Headers = {}) =>
  send("POST", session, { ...ours, ...headers }, credentials);
const whoIs = async (cookie: string) => (await send("GET", session, { ...ours, cookie })).body.data;

/** A signed-in tenant with a topic. */
async function signedIn() {
  const { api, applicationId, apiKey } = await product.tenant();
  const { cookie } = await signIn({ apiKey, applicationId });
  const topic = (await api.post("/v0/topics", { title: "Opening an account" })).body.data;
  return { api, apiKey, applicationId, cookie, topic };
}

// First, since the link is valid for two minutes.
test("the code of a link signs in once, and not through a proxy or by another name of this machine", async () => {
  const code = new URL(consoleUrl).hash.replace("#code=", "");
  expect((await signIn({ code }, { "x-forwarded-for": "127.0.0.1" })).status).toBe(401);
  const rebound = await signIn({ code }, { host: "evil.example", origin: "http://evil.example" });
  expect([rebound.status, rebound.cookie]).toEqual([422, ""]);
  const { status, cookie, body } = await signIn({ code });
  expect([status, body.data.application.id]).toEqual([200, applicationId]);
  expect(await whoIs(cookie)).not.toBeNull();
  expect((await signIn({ code })).status).toBe(401);
});

test("a page cannot be framed, and restricts what it may load", async () => {
  for (const path of ["/", "/sign-in", "/topics/1"]) {
    const { status, headers } = await send("GET", path, { accept: "text/html" });
    expect([path, status, headers["x-frame-options"]]).toEqual([path, 200, "DENY"]);
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["content-security-policy"]).not.toContain("unsafe");
  }
});

describe("another site that uses the browser's cookie", async () => {
  const { api, applicationId, cookie, topic } = await signedIn();
  const path = `/console/api/v0/topics/${topic.id}`;
  test.each([
    ["POST", "/console/api/v0/topics", { title: "Mine now" }],
    ["PUT", path, { title: "Mine now" }],
    ["POST", `${path}/archive`, { cascade: true }],
    ["DELETE", session, undefined],
    ["GET", path, undefined],
  ] as const)("%s %s is refused", async (method, url, json) => {
    const named = { cookie, "x-application-id": applicationId };
    const from: Headers[] = [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: `http://${host}.evil.example` },
      { origin: "null" },
      { origin, "sec-fetch-site": "same-site" },
    ];
    for (const headers of from) expect((await send(method, url, { ...named, ...headers }, json)).status).toBe(403);
    expect((await api.get(`/v0/topics/${topic.id}`)).body.data).toEqual(topic);
    expect((await api.get("/v0/topics")).body.pagination.total).toBe(1);
    expect(await whoIs(cookie)).not.toBeNull();
  });
});

test("a session that was planted before sign-in is not the one that follows", async () => {
  const [eve, ada] = [await signedIn(), await product.tenant()];
  const { cookie } = await signIn({ apiKey: ada.apiKey, applicationId: ada.applicationId }, { cookie: eve.cookie });
  expect((await whoIs(cookie)).application.id).toBe(ada.applicationId);
  expect(await whoIs(eve.cookie)).toBeNull();
  // Set by another host of the domain.
  const other = (await signedIn()).cookie;
  for (const both of [`${cookie}; ${other}`, `${other}; ${cookie}`]) expect(await whoIs(both)).toBeNull();
});

test("a page that was loaded for one tenant writes nothing to the one that signed in after it", async () => {
  const [first, second] = [await signedIn(), await signedIn()];
  const page = { ...ours, cookie: second.cookie, "x-application-id": first.applicationId };
  const created = await send("POST", "/console/api/v0/topics", page, { title: "Refunds" });
  expect([created.status, created.body]).toEqual([
    409,
    { message: "You are signed in to another application; reload the page." },
  ]);
  expect((await send("GET", "/console/api/v0/topics", page)).status).toBe(409);
  for (const { api } of [first, second]) expect((await api.get("/v0/topics")).body.pagination.total).toBe(1);
});

test("the cookie of a deleted key is none within 5 s", async () => {
  const { api, applicationId } = await product.tenant();
  const { id, key } = (await api.post("/v0/api-keys", { name: "console" })).body.data;
  const { cookie } = await signIn({ apiKey: key, applicationId });
  const status = async () => (await send("GET", "/console/api/v0/topics", { ...ours, cookie })).status;
  expect(await status()).toBe(200);
  await api.delete(`/v0/api-keys/${id}`);
  await expect.poll(status, { timeout: 5_000 }).toBe(401);
  expect(await whoIs(cookie)).toBeNull();
});

test("a copy of a cookie is of no use after sign-out, and a forged one never is", async () => {
  const { cookie } = await signedIn();
  const forged = [
    `${cookie.slice(0, -6)}AAAAAA`,
    cookie.slice(0, 60),
    "ems-console=rpc:",
    "ems-console=",
    "ems-console=%FF",
  ];
  for (const each of forged) expect([each, await whoIs(each)]).toEqual([each, null]);
  expect((await send("DELETE", session, { ...ours, cookie })).status).toBe(204);
  expect((await send("GET", "/console/api/v0/topics", { ...ours, cookie })).status).toBe(401);
});

test("the cookie opens the console's path only, and a key opens no session's", async () => {
  const { apiKey, applicationId, cookie } = await signedIn();
  const named = { ...ours, "x-application-id": applicationId };
  expect((await send("GET", "/v0/topics", { ...named, cookie })).status).toBe(401);
  expect((await send("POST", "/v0/topics", { ...named, cookie }, { title: "x" })).status).toBe(401);
  expect((await send("GET", "/console/api/v0/topics", { ...named, "x-api-key": apiKey })).status).toBe(401);
});

test("over plain http, sign-in works only under names of this machine", async () => {
  const { apiKey, applicationId } = await product.tenant();
  for (const name of ["evil.example", "127.0.0.1.evil.example", "localhost.", "evil.example@127.0.0.1", "192.0.2.1"]) {
    const { status, cookie } = await signIn({ apiKey, applicationId }, { host: name, origin: `http://${name}` });
    expect([name, status === 200, cookie]).toEqual([name, false, ""]);
  }
  const secret = (await signIn({ apiKey, applicationId })).body;
  expect(JSON.stringify(secret)).not.toContain(apiKey);
  expect((await send("GET", `/console/api/v0/topics/${newId()}`, ours)).status).toBe(401);
});
