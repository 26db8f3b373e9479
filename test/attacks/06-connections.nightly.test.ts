// One tenant whose requests never end occupies a service's connections, the gateway's slots and the shared circuit breaker. Locks
// held by the test stand for slow statements.

import { deployConfig } from "@ems/dev/config";
import { joinInstallation } from "@ems/dev/installation";
import { ownerRole } from "@ems/kit/db/schema";
import { newId } from "@ems/kit/id";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Answer, Api } from "../harness/api.ts";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked("mesh");
const { dataDir } = product.facts;
const ownerUrl = (await joinInstallation(deployConfig({ DATA_DIR: dataDir }), () => undefined)).urlAs(ownerRole);

let locker: pg.Client;
beforeEach(async () => {
  locker = new pg.Client({ connectionString: ownerUrl });
  await locker.connect();
});
afterEach(() => locker.end());

/** Number of statements that wait for a lock. */
const blocked = async () => {
  const { rows } = await locker.query("SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted");
  return Number(rows[0]?.count);
};

interface Attack {
  readonly name: string;
  /** Table on which the attacker's statements block; the quiet tenants' do not. */
  readonly table: string;
  readonly request: (api: Api) => Promise<Answer>;
  /** Requests of quiet tenants to the same service meanwhile. */
  readonly quiet: string;
}
const fact = { type: "FACT", name: newId() };
const query = { datasource: "tag", timezone: "UTC" };
const attacks: readonly Attack[] = [
  {
    name: "searches that take long",
    table: "catalog.tag",
    request: (api) => api.get("/v0/tags?search=slow"),
    quiet: "/v0/topics",
  },
  {
    name: "changes that wait",
    table: "catalog.tag",
    request: (api) => api.post("/v0/tags", { name: newId() }),
    quiet: "/v0/topics",
  },
  {
    name: "lists of another service",
    table: "traces.trace",
    request: (api) => api.get("/v0/traces?limit=100"),
    quiet: "/v0/experiments",
  },
  {
    name: "calibrations of a judge",
    table: "experiments.human_annotation",
    request: async (api) => api.get(`/v0/definitions/${await madeOnce(api, "/v0/definitions", fact)}/calibration`),
    quiet: "/v0/experiments",
  },
  {
    name: "judgements of people",
    table: "experiments.human_annotation",
    request: (api) => api.get("/v0/human-annotations"),
    quiet: "/v0/issues",
  },
  {
    name: "variants of an experiment",
    table: "experiments.experiment_variant",
    request: async (api) =>
      api.get(`/v0/experiments/${await madeOnce(api, "/v0/experiments", { title: "A" })}/variants`),
    quiet: "/v0/issues",
  },
  {
    name: "tests of documents",
    table: "experiments.document_test",
    request: (api) => api.get("/v0/documents/tests"),
    quiet: "/v0/issues",
  },
  {
    name: "reports",
    table: "catalog.tag",
    request: (api) => api.post("/v0/reporting/query", query),
    quiet: "/v0/users",
  },
];

/** An id of each attacker's resource. */
const made = new WeakMap<Api, Promise<string>>();
function madeOnce(api: Api, path: string, body: object): Promise<string> {
  const id = made.get(api) ?? api.post(path, body).then((answer) => answer.body.data.id);
  made.set(api, id);
  return id;
}

const attackers = 60;
const quietCalls = 40;

test.each(attacks)("$name: quiet tenants are answered 40 times of 40", async ({ table, request, quiet }) => {
  const [loud, quietTenants] = [await product.tenant(), [await product.tenant(), await product.tenant()]];
  await locker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  const answers: Answer[] = [];
  const requests = Array.from({ length: attackers }, async () => void answers.push(await request(loud.api)));
  await expect.poll(blocked).toBeGreaterThan(0);

  const statuses: number[] = [];
  const times: number[] = [];
  for (let call = 0; call < quietCalls; call += 1) {
    const { api } = quietTenants[call % quietTenants.length] ?? loud;
    const startedMs = performance.now();
    statuses.push((await api.get(quiet)).status);
    times.push(performance.now() - startedMs);
    // For exactly the time of the attack.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(statuses).toEqual(Array.from({ length: quietCalls }, () => 200));
  // Half of them: on a busy machine, some may be late.
  expect(times.toSorted((a, b) => a - b)[quietCalls / 2]).toBeLessThan(1_000);
  // It has not used up its own share either: its other requests are answered.
  expect((await loud.api.get("/v0/users")).status).toBe(200);

  await locker.query("COMMIT");
  await Promise.all(requests);
  for (const { status, headers, body } of answers) {
    expect([200, 201, 429, 504]).toContain(status);
    if (status !== 429) continue;
    expect(body.message).toMatch(/^Too many (requests|reports) of this application at once$/);
    expect(headers.get("retry-after")).toBe("1");
  }
  expect((await request(loud.api)).status).toBeLessThan(300);
});

test("what one tenant waits for in vain opens no breaker for the others", async () => {
  const [loud, quiet] = [await product.tenant(), await product.tenant()];
  await locker.query("BEGIN; LOCK TABLE catalog.tag IN ACCESS EXCLUSIVE MODE");
  const late: Promise<{ status: number; ms: number }>[] = [];
  const timed = async () => {
    const startedMs = performance.now();
    const { status } = await loud.api.get("/v0/tags");
    return { status, ms: performance.now() - startedMs };
  };
  // Sequential, with no success in between: a circuit breaker would consider the service lost.
  for (let call = 0; call < 5; call += 1) {
    late.push(timed());
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const answers = await Promise.all(late);
  // Requests above the tenant's share of the connections wait for it, and are then refused.
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([504, 429]));
  // A list ends before its deadline of ten seconds.
  for (const { ms } of answers) expect(ms).toBeLessThan(8_000);
  for (let call = 0; call < 3; call += 1) expect((await quiet.api.get("/v0/topics")).status).toBe(200);
  expect((await loud.api.get("/v0/topics")).status).toBe(200);
});

test("searches whose clients have gone do not go on in PostgreSQL", async () => {
  const { applicationId, apiKey } = await product.tenant();
  await locker.query("BEGIN; LOCK TABLE catalog.tag IN ACCESS EXCLUSIVE MODE");
  const gone = new AbortController();
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId };
  const requests = fetch(`${product.facts.baseUrl}/v0/tags`, { headers, signal: gone.signal }).catch(() => undefined);
  await expect.poll(blocked).toBe(1);
  gone.abort();
  await requests;
  // Before the limit of a read would end it.
  await expect.poll(blocked, { timeout: 3_000 }).toBe(0);
});
