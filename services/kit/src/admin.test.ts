import { request } from "node:http";
import { capturedLog } from "@ems/test-support";
import { afterAll, describe, expect, test } from "vitest";
import { readyz, startAdmin } from "./admin.ts";
import { Health } from "./health.ts";
import { createLog } from "./log.ts";
import { metricsText } from "./telemetry/metrics.ts";

const page = {
  path: "/mail",
  show: async (path: string) => {
    if (path === "/mail/broken") throw new Error("secret path");
    return path === "/mail" ? "<p>mails</p>" : undefined;
  },
};
const log = createLog("test", "silent");
const config = { ADMIN_HOST: "127.0.0.1", ADMIN_PORT: 0, ADMIN_HOSTS: ["ops.example.com", ".svc.cluster.local"] };
const admin = await startAdmin(config, new Health(async () => undefined), log, [page]);
afterAll(() => admin.close());

/** Uses `request`, since fetch sets the Host header itself. */
function get(path: string, { host = new URL(admin.url).host, method = "GET" } = {}) {
  return new Promise<{ status?: number | undefined; csp?: unknown; text: string }>((resolve, reject) => {
    const sent = request(admin.url + path, { method, headers: { host } }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      const { statusCode, headers } = response;
      response.on("end", () => resolve({ status: statusCode, csp: headers["content-security-policy"], text }));
    });
    sent.on("error", reject).end();
  });
}

test("a page has a content security policy that forbids loading and running anything", async () => {
  const { status, csp, text } = await get("/mail?x=1");
  expect({ status, text }).toEqual({ status: 200, text: "<p>mails</p>" });
  expect(csp).toContain("default-src 'none'");
  expect(csp).not.toContain("script-src");
});

test("the probes still answer", async () => {
  for (const path of ["/livez", "/readyz"]) expect((await get(path)).status).toBe(200);
});

test("metrics are in Prometheus's text format", async () => {
  const answer = await fetch(`${admin.url}/metrics`);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await answer.text()).toMatch(/^# HELP process_cpu_user_seconds_total /m);
});

test("metrics report readiness, also when checks hang", async () => {
  let check = async () => undefined as undefined;
  const health = new Health(() => check());
  expect(await metricsText()).toMatch(/^ems_ready 1$/m);
  check = () => new Promise(() => undefined);
  expect(await metricsText()).toMatch(/^ems_ready 0$/m);
  check = async () => undefined;
  health.drain();
  expect(await metricsText()).toMatch(/^ems_ready 0$/m);
});

test("a missing or unresponsive part is named, and the process stays ready", async () => {
  const down = () => Promise.reject(new Error("10.1.2.3 refused"));
  const hangs = () => new Promise<void>(() => undefined);
  const parts = { nats: down, mail: hangs, disk: async () => undefined };
  const ready = await readyz(new Health(async () => undefined, parts), log);
  expect(ready).toEqual({ status: 200, body: { status: "degraded", degraded: ["nats", "mail"] } });
  expect(await readyz(new Health(down, parts), log)).toEqual({
    status: 503,
    body: { status: "not ready" },
    reason: "10.1.2.3 refused",
  });
});

test("/readyz returns the innermost reason, but only to requests with a known Host header", async () => {
  const refused = new AggregateError([new Error("connect ECONNREFUSED 10.1.2.3:5432"), new Error("and IPv6")]);
  const unready = new Health(() => Promise.reject(new Error("Service unavailable", { cause: refused })));
  const other = await startAdmin(config, unready, log);
  const answers = [];
  for (const host of ["10.9.9.9:9090", "ops.example.com", "evil.example"]) {
    answers.push(
      await new Promise((resolve, reject) => {
        request(`${other.url}/readyz`, { headers: { host } }, (response) => {
          let text = "";
          response.on("data", (chunk) => (text += chunk)).on("end", () => resolve([response.statusCode, text]));
        })
          .on("error", reject)
          .end();
      }),
    );
  }
  await other.close();
  const reason = { status: "not ready", reason: "connect ECONNREFUSED 10.1.2.3:5432" };
  expect(answers).toEqual([
    [503, JSON.stringify(reason)],
    [503, JSON.stringify(reason)],
    [503, JSON.stringify({ status: "not ready" })],
  ]);
});

test("failed probes log their reason only when it changes, without a stack", async () => {
  const { log: captured, text } = capturedLog();
  let reason: Error | undefined = new Error("no database");
  const health = new Health(() => (reason === undefined ? Promise.resolve() : Promise.reject(reason)));
  for (let probe = 0; probe < 5; probe += 1) await readyz(health, captured);
  reason = new Error("schema catalog lacks migration X: run the migrations");
  for (let probe = 0; probe < 5; probe += 1) await readyz(health, captured);
  reason = undefined;
  for (let probe = 0; probe < 5; probe += 1) await readyz(health, captured);
  const lines = text()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ msg, reason, err }) => ({ msg, reason, err }))).toEqual([
    { msg: "not ready", reason: "no database" },
    { msg: "not ready", reason: "schema catalog lacks migration X: run the migrations" },
    { msg: "ready" },
  ]);
});

test.each([
  ["/mail/nothing", {}, 404],
  ["/mailbox", {}, 404],
  ["/", {}, 404],
  ["/mail", { method: "POST" }, 405],
  ["/metrics", { method: "POST" }, 405],
  ["/mail/broken", {}, 500],
])("%s with %o is %d", async (path, how, status) => {
  const answer = await get(path, how);
  expect(answer.status).toBe(status);
  expect(answer.text).not.toContain("secret");
});

describe.each(["/mail", "/metrics", "/metrics?format=text"])("%s", (path) => {
  test.each([
    ...[
      "localhost:7",
      "127.0.0.1",
      "10.1.2.3:9090",
      "[::1]:7",
      "[fd00::2]",
      "catalog:9090",
      "CATALOG",
      "my_project-catalog-1",
    ],
    ...["ops.example.com", "OPS.example.com:9090", "ems-catalog.ems.svc.cluster.local:9090"],
  ])("is served for the Host header %s", async (host) => {
    expect((await get(path, { host })).status).toBe(200);
  });

  test.each([
    ...["evil.example", "evil.example:9090", "127.0.0.1.evil.example:80", "localhost.evil.example", "catalog."],
    ...["a.ops.example.com", "ops.example.com.evil.example", "evil-svc.cluster.local", "[::1].evil.example", "a b"],
  ])("is not served for the Host header %s", async (host) => {
    const { status, text } = await get(path, { host });
    expect([status, text]).toEqual([421, '{"message":"Misdirected request"}']);
  });
});

test("the probes answer for any Host header", async () => {
  for (const path of ["/livez", "/readyz"]) expect((await get(path, { host: "evil.example" })).status).toBe(200);
});
