// Exports: streamed responses of pages, compressed on request, continued after a failure.

import { expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { baseUrl } = inject("product");
type Tenant = Awaited<ReturnType<typeof newTenant>>;

function request({ apiKey, applicationId }: Tenant, path: string, init: RequestInit = {}) {
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "accept-encoding": "identity" };
  return fetch(`${baseUrl}${path}`, { ...init, headers: { ...headers, ...init.headers } });
}
const parse = (text: string): Record<string, unknown>[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

async function ingest({ api }: Tenant, count: number, text = "") {
  for (let first = 0; first < count; first += 100) {
    const events = Array.from({ length: Math.min(100, count - first) }, (_, index) => ({
      type: "trace",
      metadata: { number: first + index },
      steps: [{ type: "request", content: `question ${first + index}${text}` }],
    }));
    const { body } = await api.post("/v0/ingest", { events });
    expect(body.data.every(({ success }: { success: boolean }) => success)).toBe(true);
  }
}

test("a response has all traces as lines of a file, over several pages, and can be compressed", async () => {
  const tenant = await newTenant();
  await ingest(tenant, 230);
  const plain = await request(tenant, "/v0/traces/export");
  expect(plain.status).toBe(200);
  expect(Object.fromEntries(plain.headers)).toMatchObject({
    "content-type": "application/x-ndjson; charset=utf-8",
    "content-disposition": 'attachment; filename="traces.jsonl"',
    "cache-control": "no-store",
    vary: "accept-encoding",
  });
  const text = await plain.text();
  const numbers = parse(text).map(({ metadata }) => (metadata as { number: number }).number);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 230 }, (_, index) => index));

  const compressed = await request(tenant, "/v0/traces/export", { headers: { "accept-encoding": "gzip" } });
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
  const withoutCursors = (lines: string) => parse(lines).map((line) => ({ ...line, cursor: "" }));
  // fetch decompresses.
  expect(withoutCursors(await compressed.text())).toEqual(withoutCursors(text));

  const head = await request(tenant, "/v0/traces/export", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("the lines are events of another application, and a cursor continues the export", async () => {
  const [from, to] = [await newTenant(), await newTenant()];
  await ingest(from, 60);
  const events = parse(await (await request(from, "/v0/traces/export")).text());
  const { status, body } = await to.api.post("/v0/ingest", { events });
  expect([status, body.data.filter(({ success }: { success: boolean }) => !success)]).toEqual([200, []]);
  const copies = parse(await (await request(to, "/v0/traces/export")).text());
  const withoutCursor = ({ cursor: _, ...event }: Record<string, unknown>) => JSON.stringify(event);
  expect(copies.map(withoutCursor).sort()).toEqual(events.map(withoutCursor).sort());

  const after = String(events[40]?.cursor);
  const rest = parse(await (await request(from, `/v0/traces/export?after=${after}`)).text());
  expect(rest).toEqual(events.slice(41));
  for (const [tenant, query] of [
    [to, `after=${after}`],
    [from, `after=${after}&user=ann`],
    [from, "after=x"],
    [from, `after=${"A".repeat(8_193)}`],
  ] as const) {
    const refused = await request(tenant, `/v0/traces/export?${query}`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ issues: [{ path: ["after"] }] });
  }
});

test("tests are exported with their evaluations", async () => {
  const tenant = await newTenant();
  const topic = await tenant.api.post("/v0/topics", { title: "t" });
  const task = await tenant.api.post("/v0/tasks", { title: "t", description: "d", topicId: topic.body.data.id });
  const taskId = task.body.task.id;
  await tenant.api.post("/v0/tests/results", {
    tests: [
      { taskId, score: 0.5 },
      { taskId, passed: true },
    ],
  });
  const lines = parse(await (await request(tenant, "/v0/tests/export")).text());
  expect(lines).toHaveLength(2);
  const { body } = await tenant.api.get("/v0/tests?orderDir=asc");
  expect(lines.map(({ cursor: _, ...line }) => line).sort(byId)).toEqual(body.data.sort(byId));
});

const byId = (a: { id?: unknown }, b: { id?: unknown }) => (String(a.id) < String(b.id) ? -1 : 1);

test("an application has two exports at once, and further ones are refused until one ends", async () => {
  const tenant = await newTenant();
  await ingest(tenant, 100, "x".repeat(100_000));
  const [first, second] = [await request(tenant, "/v0/traces/export"), await request(tenant, "/v0/traces/export")];
  const third = await request(tenant, "/v0/traces/export");
  expect([third.status, await third.json()]).toEqual([
    429,
    { message: "Too many exports of this application at once" },
  ]);
  expect((await request(await newTenant(), "/v0/traces/export")).status).toBe(200);
  await first.body?.cancel();
  await expect.poll(async () => (await request(tenant, "/v0/traces/export", { method: "HEAD" })).status).toBe(200);
  expect(parse(await second.text())).toHaveLength(100);
});

test("a key without the scope exports nothing", async () => {
  const tenant = await newTenant();
  const { body } = await tenant.api.post("/v0/api-keys", { name: "k", scopes: ["topic:read"] });
  const limited = { ...tenant, apiKey: body.data.key };
  expect((await request(limited, "/v0/traces/export")).status).toBe(403);
});
