// `ems export --exact` and `ems import`: an empty application becomes equal, with ids, times and reports.

import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@ems/kit/id";
import { afterAll, expect, inject, test } from "vitest";
import type { Api } from "../harness/api.ts";
import { emsAs } from "../harness/cli.ts";
import { nowhere } from "../harness/names.ts";
import { newTenant } from "../harness/tenant.ts";
import { fill, made } from "./fill-application.ts";

const { baseUrl } = inject("product");
const dir = await mkdtemp(join(tmpdir(), "ems-test-exact-"));
afterAll(() => rm(dir, { recursive: true }));

async function newCli() {
  const tenant = await newTenant();
  return { ...tenant, ems: emsAs({ baseUrl, ...tenant }) };
}

/** Binary content of several pieces. */
const picture = randomBytes(700_000);

/** Adds traces, reviews and issues to what `fill` creates. */
async function fillWithTraces(api: Api): Promise<void> {
  await fill(api);
  const [, second] = (await api.get("/v0/tasks?orderBy=createdAt&orderDir=asc")).body.data;
  const { testIds } = await made(api, "tests/results", {
    run: { type: "SCHEDULED" },
    tests: [{ taskId: second.id, passed: true, score: 1, createdAt: "2026-05-01T00:00:00.000Z" }],
  });
  const events = [0, 1, 2].map((at) => ({
    type: "trace",
    timestamp: "2026-05-01T00:00:00.000Z",
    ...(at === 0 && { testId: testIds[0] }),
    metadata: { userId: `user ${at}`, order: 9_007_199_254_740_993n.toString() },
    steps: [
      {
        type: "llm",
        name: "answer",
        input: `Frage ${at}`,
        output: "Zitronenkuchen",
        timestamp: "2026-05-01T00:00:01.000Z",
      },
      ...(at === 0
        ? [
            {
              type: "log",
              timestamp: "2026-05-01T00:00:02.000Z",
              input: [{ type: "blob", content: picture.toString("base64") }],
            },
          ]
        : []),
    ],
  }));
  const { data } = await made(api, "ingest", { events });
  const traceIds = data.map(({ id }: { id: string }) => id);
  await made(api, `traces/${traceIds[1]}/feedback`, { thumb: "UP", comment: "good", user: "user 1" });
  await made(api, "human-annotations", {
    traceId: traceIds[2],
    source: "TRACE_PAGE",
    verdict: false,
    critique: "The answer names no amount at all",
  });
  for (const title of ["Old", "Newer"]) await made(api, "issues", { source: "API", title });
  const [newer, old] = (await api.get("/v0/issues?source=API")).body.data;
  expect((await api.send("PUT", `/v0/issues/${old.id}`, { json: { parentId: newer.id } })).status).toBe(200);
}

const lists = [
  "topics?status=ACTIVE&status=ARCHIVED&status=DRAFT",
  "tasks?status=ACTIVE&status=ARCHIVED&status=DRAFT&status=DEDUCED",
  ...["tags", "documents", "facts", "style-guides", "definitions", "experiments", "inference-steps", "quickstarts"],
  ...["runs", "tests", "evals", "issues", "annotations", "human-annotations", "human-annotation-queues", "traces"],
  "traces?user=user%201",
  "traces?metadataKey=userId&metadataValue=user%202",
];

const measures = ["test", "eval", "task", "human_annotation", "feedback", "topic", "tag"].map((datasource) => ({
  datasource,
  timezone: "Europe/Berlin",
}));

/** Fields that describe the application and its people, who belong to another organization. */
const ofOwner: ReadonlySet<string> = new Set(["application", "applicationId", "orgId", "annotator"]);

/** Reads everything that the API says about an application's content. */
async function readAll(api: Api): Promise<unknown> {
  const answers = new Map<string, unknown>();
  for (const list of lists) answers.set(list, (await api.get(`/v0/${list}`)).body);
  for (const json of measures) answers.set(json.datasource, (await api.post("/v0/reporting/query", json)).body);
  return JSON.parse(JSON.stringify([...answers], (name, value) => (ofOwner.has(name) ? undefined : value)));
}

test("an exact copy has the same ids, times, lists and reports, after an interruption too", async () => {
  const [from, to] = [await newCli(), await newCli()];
  await made(to.api, "webhook", { url: nowhere });
  await fillWithTraces(from.api);
  const file = join(dir, "exact.ndjson");
  const written = await from.ems(["export", file, "--exact", "--json"]);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(written.stdout)).toMatchObject({
    topic: 2,
    task: 3,
    trace: 3,
    trace_step: 4,
    issue: 3,
    feedback: 1,
    attachment: 1,
  });
  const text = await readFile(file, "utf8");

  const lines = text.trimEnd().split("\n");
  const half = await to.ems(["import"], { stdin: `${lines.slice(0, lines.length / 2).join("\n")}\n{` });
  expect(half).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Line \d+: not JSON\n$/) });
  for (const _ of [1, 2]) {
    expect(await to.ems(["import", file, "--json"])).toMatchObject({ code: 0, stderr: "" });
    expect(await readAll(to.api)).toEqual(await readAll(from.api));
  }
  const traces: { id: string; attachments: { hash: string }[] }[] = (await to.api.get("/v0/traces")).body.data;
  const [stored] = traces.flatMap(({ id, attachments }) => attachments.map(({ hash }) => `${id}/attachments/${hash}`));
  const { apiKey, applicationId } = to;
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId };
  const download = await fetch(`${baseUrl}/v0/traces/${stored}`, { headers });
  expect(Buffer.from(await download.arrayBuffer()).equals(picture)).toBe(true);
  await expect.poll(async () => (await to.api.get("/v0/traces?search=Zitronenkuchen")).body.pagination.total).toBe(3);
  const logged = (await to.api.get("/v0/audit-log?limit=100")).body.data;
  const resources: string[] = logged.map(({ resource }: { resource: string }) => resource);
  expect(resources.filter((resource) => resource === "import")).toHaveLength(3);
  expect(resources.filter((resource) => /^(topic|task|document|definition|issue|run)/.test(resource))).toEqual([]);
  // The first event after the import shows that the import sent none. The tenant itself sent those of webhook and key.
  await made(to.api, "topics", { title: "After the import" });
  const sent = async () => {
    const { data } = (await to.api.get("/v0/webhook/deliveries?limit=100")).body;
    return data.map(({ type }: { type: string }) => type).filter((type: string) => !/^(webhook|api_key)\./.test(type));
  };
  await expect.poll(sent).toEqual(["topic.created"]);

  const other = await to.ems(["import"], { stdin: text.replace(/"id":"[^"]+"/, `"id":"${newId()}"`) });
  expect(other).toMatchObject({ code: 5, stderr: expect.stringContaining("Another import has begun") });
});

test("an exact copy is refused by an application with content, another version, and keys that are not an owner's", async () => {
  const [from, to] = [await newCli(), await newCli()];
  await made(from.api, "topics", { title: "A" });
  await made(to.api, "topics", { title: "B" });
  const { stdout } = await from.ems(["export", "--exact"]);
  const refused = await to.ems(["import"], { stdin: stdout });
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining("it has rows of topic") });
  const { api } = await newTenant();
  const page = { importId: newId(), schema: "Older", tables: [] };
  const older = await api.post("/v0/transfer/traces", page);
  expect(older.body.issues).toEqual([expect.objectContaining({ path: ["schema"] })]);
  const { schema } = (await api.get("/v0/transfer/traces")).body;
  for (const [table, row] of [
    ["trace", '{"id":"x"}'],
    ["audit", "{}"],
    ["feedback", "{x}"],
  ]) {
    const broken = await api.post("/v0/transfer/traces", { ...page, schema, tables: [{ table, rows: [row] }] });
    expect([table, broken.status, broken.body.issues?.[0]?.path]).toEqual([table, 400, ["tables"]]);
  }
  expect((await api.get("/v0/transfer/traces?after=x")).body.issues).toEqual([
    expect.objectContaining({ path: ["after"] }),
  ]);
  const { key } = (await made(api, "api-keys", { name: "editor", scopes: ["trace:write"] })).data;
  const response = await fetch(`${baseUrl}/v0/transfer/traces`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...page, schema }),
  });
  expect(response.status).toBe(403);
});
