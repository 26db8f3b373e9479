// Model connections: keys that may reach the provider only, base URLs of internal addresses, and other tenants' ids.

import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { startDnsServer } from "@ems/test-support/dns-server";
import { modelServer } from "@ems/test-support/model-server";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { emsAs } from "../harness/cli.ts";
import { createTask, defineFor, reachingLoopback, startAnswering, triggerTasks } from "../harness/judged.ts";

const dns = await startDnsServer();
const [open, strict] = [
  await startAttacked("one", { ...reachingLoopback, DNS_SERVERS: dns.address, LOG_LEVEL: "debug" }),
  await startAttacked("one", { DNS_SERVERS: dns.address }),
];
const models = await modelServer();
const answering = await startAnswering(() => "Cards are free.");
afterAll(async () => {
  await dns.close();
  await models.close();
  await answering[Symbol.asyncDispose]();
});

const tenantOfStrict = strict.tenant();

const connection = (more: object) => ({
  name: "Judge",
  provider: "openai-compatible",
  model: "judge-1",
  baseUrl: models.url,
  ...more,
});

describe("a key", () => {
  const keys = Array.from({ length: 2 }, (_, at) => `sk-attack-${at}-${crypto.randomUUID()}`);
  const spellings = keys.flatMap((key) => [
    key,
    Buffer.from(key).toString("base64").replaceAll("=", ""),
    Buffer.from(key).toString("hex"),
    Buffer.from(`Bearer ${key}`).toString("base64").replaceAll("=", ""),
  ]);
  const expectNone = (where: string, content: string) => {
    for (const spelling of spellings) {
      const at = content.indexOf(spelling);
      expect([where, at < 0 ? "" : content.slice(Math.max(0, at - 100), at)]).toEqual([where, ""]);
    }
  };

  test("is in no answer, log, table, event, export or metric, also when the provider echoes it", async () => {
    const tenant = await open.tenant();
    const { api } = tenant;
    const answers: unknown[] = [];
    const say = async (method: string, path: string, json?: object, headers: Record<string, string> = {}) => {
      const { status, body, headers: metadata } = await api.send(method, path, { ...(json && { json }), headers });
      answers.push({ status, body, headers: [...metadata] });
      return body;
    };
    const [first = "", second = ""] = keys;
    const created = await say("POST", "/v0/model-connections", connection({ apiKey: first, default: true }), {
      "idempotency-key": "once",
    });
    const { id } = created.data;
    expect(created.data.apiKeyLastFour).toBe(first.slice(-4));
    const path = `/v0/model-connections/${id}`;
    await say("POST", "/v0/model-connections", connection({ apiKey: first, default: true }), {
      "idempotency-key": "once",
    });
    await say("PUT", path, connection({ apiKey: second, default: true }));
    for (const bad of [
      { apiKey: second, model: 5 },
      { apiKey: [second] },
      { apiKey: second, baseUrl: `https://${second}` },
    ]) {
      await say("PUT", path, connection(bad));
    }
    await say("GET", path);
    await say("GET", "/v0/model-connections");
    // An error with the key, as a provider may answer.
    const echo = `Incorrect API key provided: ${second}. authorization: Bearer ${second}`;
    const echoes = [
      { kind: "error", status: 401, message: echo },
      { kind: "error", status: 500, message: echo },
      { kind: "error", status: 400, message: echo, param: second },
      { kind: "raw", body: echo },
      { kind: "raw", status: 403, body: JSON.stringify({ error: echo }), headers: { "x-key": second } },
      { kind: "answer", text: echo },
      { kind: "answer", object: { rationale: echo, passed: true } },
    ] as const;
    for (const step of echoes) {
      models.script(step);
      await say("POST", `${path}/test`, {});
    }
    expect((await api.post("/v0/webhook", { url: answering.url })).status).toBe(200);
    await defineFor(tenant, { type: "CUSTOM", globalConfig: { criterion: "It is polite." } });
    // The last error pauses the connection.
    const [wrongKey, , , raw, , text, object] = echoes;
    models.script(raw, text, object, wrongKey);
    const runId = await triggerTasks(tenant, [await createTask(tenant, 3)]);
    await expect.poll(() => models.requests.length).toBeGreaterThan(echoes.length + 2);
    for (const list of [`/v0/tests?runId=${runId}`, "/v0/evals", "/v0/webhook/deliveries", path])
      await say("GET", list);
    await say("DELETE", path);
    expect(models.requests.some(({ headers }) => JSON.stringify(headers).includes(second))).toBe(true);

    expectNone("answers", JSON.stringify(answers));
    expectNone("log", open.stderr());
    const ems = emsAs({ baseUrl: open.facts.baseUrl, ...tenant });
    const exported = await ems(["export"]);
    expectNone("export", exported.stdout + exported.stderr);
    expectNone("metrics", await (await fetch(`${open.facts.adminUrl}/metrics`)).text());
    expectNone("receivers", JSON.stringify(answering.prompts));
    for (const [table, rows] of await readTables(open.facts.dataDir)) expectNone(table, rows);
  });
});

/** Every table of every service, as text. */
async function readTables(dataDir: string): Promise<[string, string][]> {
  const { adminUrl } = JSON.parse(await readFile(join(dataDir, "running.json"), "utf8"));
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const all: [string, string][] = [];
    for (const { name } of tables) {
      const { rows } = await client.query(`SELECT row_to_json(t)::text AS row FROM ${name} t`);
      // Bytes are printed as hex.
      all.push([name, rows.map(({ row }) => row).join("\n")]);
    }
    return all;
  } finally {
    await client.end();
  }
}

test("connections of another tenant are not found, and stay unchanged", async () => {
  const [owner, thief] = [await open.tenant(), await open.tenant()];
  const made = await owner.api.post("/v0/model-connections", connection({ apiKey: "sk-owner-of-it" }));
  const path = `/v0/model-connections/${made.body.data.id}`;
  const before = models.requests.length;
  const tries = [
    await thief.api.get(path),
    await thief.api.delete(path),
    await thief.api.send("PUT", path, { json: connection({ apiKey: "sk-thief" }) }),
    await thief.api.post(`${path}/test`, {}),
  ];
  expect(tries.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect((await thief.api.get("/v0/model-connections")).body.data).toEqual([]);
  expect((await owner.api.get(path)).body).toEqual(made.body);
  expect(models.requests.length).toBe(before);
});

test("a key is not sent elsewhere than it was given for", async () => {
  const { api } = await open.tenant();
  await using elsewhere = await modelServer();
  const made = await api.post("/v0/model-connections", connection({ apiKey: "sk-of-the-first" }));
  const path = `/v0/model-connections/${made.body.data.id}`;
  for (const change of [{ baseUrl: elsewhere.url }, { provider: "anthropic" }]) {
    const { status, body } = await api.send("PUT", path, { json: connection(change) });
    expect([status, body.issues]).toEqual([400, [expect.objectContaining({ path: ["apiKey"] })]]);
  }
  // Redirects are not followed.
  models.script({ kind: "raw", status: 307, body: "", headers: { location: `${elsewhere.url}/chat/completions` } });
  await api.post(`${path}/test`, {});
  expect(elsewhere.requests).toEqual([]);
});

describe("without the operator's list, a base URL that leads inside is refused", () => {
  dns.set("inside.example.com", ["10.1.2.3"]);
  dns.set("mapped.example.com", ["::ffff:127.0.0.1"]);
  dns.set("both.example.com", ["93.184.216.34", "127.0.0.1"]);

  test.each([
    ...["http://127.0.0.1:11434/v1", "https://127.0.0.1/v1", "https://127.1/v1", "https://2130706433/v1"],
    ...["https://0x7f000001/v1", "https://0177.0.0.1/v1", "https://0/v1", "https://①②⑦.0.0.1/v1"],
    ...["https://localhost/v1", "https://app.localhost/v1", "http://ollama:11434/v1", "https://ollama/v1"],
    ...["https://169.254.169.254/latest/meta-data/", "https://metadata.google.internal/v1", "https://10.0.0.1/v1"],
    ...["https://192.168.1.1/v1", "https://100.64.0.1/v1", "https://[::1]/v1", "https://[::ffff:127.0.0.1]/v1"],
    ...["https://[::ffff:a9fe:a9fe]/v1", "https://[64:ff9b::7f00:1]/v1", "https://[2002:7f00:1::]/v1"],
    ...["https://[fd00:ec2::254]/v1", "https://[fe80::1]/v1", "https://inside.example.com/v1"],
    ...["https://mapped.example.com/v1", "https://both.example.com/v1", "https://u:p@public.example.com/v1"],
    ...["http://93.184.216.34/v1", "file:///etc/passwd", "gopher://93.184.216.34/v1", "https://93.184.216.34:5432/v1"],
  ])("%s", async (baseUrl) => {
    const { api } = await tenantOfStrict;
    const { status, body } = await api.post("/v0/model-connections", connection({ baseUrl, apiKey: "sk" }));
    expect([status, body.issues]).toEqual([400, [expect.objectContaining({ path: ["baseUrl"] })]]);
  });

  test("a name that was public when it was saved and leads inside when it is called", async () => {
    let connections = 0;
    const inside: Server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
    const { port } = inside.address() as AddressInfo;
    const { api } = await tenantOfStrict;
    dns.set("rebound.example.com", ["93.184.216.34"]);
    const baseUrl = `https://rebound.example.com:${port}/v1`;
    const made = await api.post("/v0/model-connections", connection({ baseUrl, apiKey: "sk" }));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    for (const addresses of [
      ["127.0.0.1"],
      ["::ffff:127.0.0.1"],
      ["93.184.216.34", "127.0.0.1"],
      ["169.254.169.254"],
    ]) {
      dns.set("rebound.example.com", addresses);
      const { status, body } = await api.post(`/v0/model-connections/${made.body.data.id}/test`, {});
      expect(status).toBeLessThan(500);
      expect(JSON.stringify(body)).toContain("public");
    }
    expect(connections).toBe(0);
    inside.close();
  });
});
