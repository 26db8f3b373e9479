import { newId } from "@ems/kit/id";
import { beforeEach, describe, expect, test } from "vitest";
import { type Headers, openConsole } from "../../test/console.ts";
import { signInLink } from "./sign-in-link.ts";

const {
  ada,
  app,
  call,
  clock,
  readCookie,
  createdTopics,
  eve,
  gatewayWith,
  here,
  newKey,
  owners,
  readSetCookie,
  signIn,
  whoIs,
} = await openConsole();

beforeEach(() => {
  createdTopics.length = 0;
});

describe("a session", () => {
  test("calls the API as its key, and the API itself accepts no cookie", async () => {
    const cookie = readCookie(await signIn(ada));
    const named = { cookie, "x-application-id": ada.applicationId };
    const [topic, read] = [{ title: "Opening an account" }, `topics/${newId()}`];
    expect((await call("POST", "/console/api/v0/topics", named, topic)).statusCode).toBe(201);
    expect((await call("GET", `/console/api/v0/${read}`, { cookie })).statusCode).toBe(200);
    expect(createdTopics).toEqual(["Opening an account"]);
    expect((await call("POST", "/v0/topics", named, topic)).statusCode).toBe(401);
    expect(
      (await call("POST", "/console/api/v0/topics", { "x-api-key": ada.apiKey, ...named, cookie: "" }, topic))
        .statusCode,
    ).toBe(401);
    expect(createdTopics).toHaveLength(1);
    // Other spellings of the same route, to which browsers send no cookie, and paths outside the API.
    const otherPaths = ["/console/ap%69/v0/topics", "/console/api//v0/topics", "/console/api/console/api/v0/topics"];
    for (const path of [...otherPaths, "/console/api/v1/traces", "/console/api/v0"]) {
      expect([path, (await call("POST", path, named, topic)).statusCode]).toEqual([path, 404]);
    }
    expect((await call("PUT", "/console/api/v0/topics", named, topic)).headers.allow).toBe("GET, HEAD, PATCH, POST");
    expect(createdTopics).toHaveLength(1);
  });

  test("is extended while it is used, up to a maximum age", async () => {
    const response = await signIn(ada);
    let cookie = readCookie(response);
    const read = () => call("GET", `/console/api/v0/topics/${newId()}`, { cookie });
    const begunMs = clock.ms;
    const after = (hours: number) => {
      clock.ms = begunMs + hours * 3_600_000;
    };
    after(0.1);
    expect(readSetCookie(await read())).toBe("");
    for (let hours = 11; hours < 7 * 24; hours += 11) {
      after(hours);
      const renewed = await read();
      expect([hours, renewed.statusCode]).toEqual([hours, 200]);
      cookie = readCookie(renewed);
    }
    after(7 * 24);
    expect((await read()).statusCode).toBe(401);
    clock.ms = begunMs;
  });

  test("that is not used ends after 12 hours", async () => {
    const cookie = readCookie(await signIn(ada));
    const begunMs = clock.ms;
    clock.ms = begunMs + 12 * 3_600_000;
    expect((await whoIs(cookie)).data).toBeNull();
    clock.ms = begunMs;
    expect((await whoIs(cookie)).data).not.toBeNull();
  });

  test("ends by sign-out, including copies of its cookie", async () => {
    const cookie = readCookie(await signIn(ada));
    const response = await call("DELETE", "/console/api/session", { cookie });
    expect([response.statusCode, readSetCookie(response)]).toEqual([
      204,
      "ems-console=; Max-Age=0; Path=/console/api; HttpOnly; SameSite=Strict",
    ]);
    expect((await whoIs(cookie)).data).toBeNull();
  });

  test("ends with its key", async () => {
    const key = newKey(3);
    const cookie = readCookie(await signIn(key));
    owners.delete(key.apiKey);
    const response = await call("GET", "/console/api/v0/topics", { cookie });
    expect([response.statusCode, readSetCookie(response)]).toEqual([401, expect.stringContaining("Max-Age=0")]);
    expect((await whoIs(cookie)).data).toBeNull();
  });

  test("of another application than the page's is a conflict, and writes nothing", async () => {
    const cookie = readCookie(await signIn(eve));
    const headers = { cookie, "x-application-id": ada.applicationId };
    for (const method of ["POST", "GET"] as const) {
      const response = await call(
        method,
        "/console/api/v0/topics",
        headers,
        method === "POST" ? { title: "x" } : undefined,
      );
      expect([response.statusCode, response.json()]).toEqual([
        409,
        { message: "You are signed in to another application; reload the page." },
      ]);
      expect(response.headers["x-console-conflict"]).toBe("application");
    }
    expect((await call("POST", "/console/api/v0/topics", { cookie }, { title: "x" })).statusCode).toBe(400);
    expect(createdTopics).toEqual([]);
  });

  test("is opened with every configured key, and sealed with the first", async () => {
    const key = (id: string) => `${id}:${Buffer.alloc(32, id).toString("base64")}`;
    const before = await gatewayWith({ CONSOLE_SEALING_KEYS: key("a") });
    const during = await gatewayWith({ CONSOLE_SEALING_KEYS: `${key("b")},${key("a")}` });
    const after = await gatewayWith({ CONSOLE_SEALING_KEYS: key("b") });
    const cookie = readCookie(await signIn(ada, {}, before));
    const status = async (gateway: typeof app) =>
      (await call("GET", `/console/api/v0/topics/${newId()}`, { cookie }, undefined, gateway)).statusCode;
    expect([await status(during), await status(after), await status(app)]).toEqual([200, 401, 401]);
    expect(readCookie(await signIn(ada, {}, during))).toMatch(/^ems-console=b:/);
  });
});

describe("a request from a page of another origin is refused", () => {
  const evil: [string, Headers][] = [
    ["another origin", { origin: "https://evil.example" }],
    ["another port", { origin: "http://localhost:4000" }],
    ["an opaque origin", { origin: "null" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["the same site", { "sec-fetch-site": "same-site" }],
  ];
  test.each(evil)("%s", async (_, headers) => {
    const cookie = readCookie(await signIn(ada));
    const named = { cookie, "x-application-id": ada.applicationId, ...headers };
    expect((await call("POST", "/console/api/v0/topics", named, { title: "x" })).statusCode).toBe(403);
    expect((await call("GET", "/console/api/v0/topics", named)).statusCode).toBe(403);
    expect((await call("DELETE", "/console/api/session", named)).statusCode).toBe(403);
    expect((await signIn(ada, headers)).statusCode).toBe(403);
    expect(createdTopics).toEqual([]);
    expect((await whoIs(cookie)).data).not.toBeNull();
  });

  test("a change without an origin", async () => {
    const cookie = readCookie(await signIn(ada));
    const headers = { host: here.host, cookie, "x-application-id": ada.applicationId };
    const url = "/console/api/v0/topics";
    expect((await app.inject({ method: "POST", url, headers, payload: { title: "x" } })).statusCode).toBe(403);
    expect((await app.inject({ url: `${url}/${newId()}`, headers })).statusCode).toBe(200);
  });

  test("a body that HTML forms can send", async () => {
    const headers = { ...here, "content-type": "text/plain" };
    const response = await app.inject({
      method: "POST",
      url: "/console/api/session",
      headers,
      payload: JSON.stringify(ada),
    });
    expect(response.statusCode).toBe(415);
  });
});

test.each([
  ["forged", (cookie: string) => `${cookie.slice(0, -4)}AAAA`],
  ["truncated", (cookie: string) => cookie.slice(0, -8)],
  ["sealed with an unknown key", (cookie: string) => cookie.replace("rpc:", "old:")],
  ["sent twice", (cookie: string) => `${cookie}; ${cookie}`],
  [
    "the code of a sign-in link",
    () => `ems-console=${signInLink(app.config, "", ada.apiKey, clock.ms).split("code=")[1]}`,
  ],
])("a cookie that is %s is no session", async (_, changed) => {
  const cookie = changed(readCookie(await signIn(ada)));
  expect((await whoIs(cookie)).data).toBeNull();
  expect((await call("GET", "/console/api/v0/topics", { cookie })).statusCode).toBe(401);
});
