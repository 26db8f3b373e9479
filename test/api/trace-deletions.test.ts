// Deletion of traces in all services: afterwards, only the tasks and issues that were listed have their texts.

import { expect, test, vi } from "vitest";
import { productSql } from "../harness/product-sql.ts";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const word = `zyx${Date.now().toString(36)}q`;

/** Returns the tables of all schemas that contain the text, as `schema.table`. */
async function placesOfText(text: string): Promise<string[]> {
  const tables = await productSql<{ name: string; columns: string }>(
    `SELECT c.oid::regclass::text AS name, string_agg(CASE WHEN a.atttypid = 'bytea'::regtype
       THEN format('encode(%I, ''escape'')', a.attname) ELSE format('%I::text', a.attname) END, ', ') AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname !~ '^(pg_|information_schema)' GROUP BY 1`,
  );
  const found: string[] = [];
  for (const { name, columns } of tables) {
    const rows = await productSql(
      `SELECT FROM ${name} WHERE position($1 IN lower(concat_ws(' ', ${columns}))) > 0 LIMIT 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}

async function newTrace(extra: object = {}) {
  const steps = ["request", "response"].map((type) => ({ type, content: `Card ${word}` }));
  const event = { type: "trace", metadata: { note: word, channel: "c" }, steps, ...extra };
  return (await api.post("/v0/ingest", { events: [event] })).body.data[0].id as string;
}

test("after a deletion, the text is only in the task and the issues that were listed", async () => {
  const { task } = (await api.post("/v0/tasks", { title: "Task", description: "Asks for a card" })).body;
  const custom = { type: "CUSTOM", name: "Polite", globalConfig: { criterion: "Polite" } };
  const definition = (await api.post("/v0/definitions", custom)).body.data;
  const evaluations = [{ definitionId: definition.id, passed: true, results: { says: word } }];
  const { testIds } = (await api.post("/v0/tests/results", { tests: [{ taskId: task.id, evaluations }] })).body;
  const traceId = await newTrace({ testId: testIds[0] });
  await api.post(`/v0/traces/${traceId}/feedback`, { thumb: "DOWN", comment: word });
  await api.post("/v0/human-annotations", {
    traceId,
    verdict: false,
    critique: `${word} is on no card of ours`,
    source: "TRACE_PAGE",
  });
  const read = (await api.get(`/v0/traces/${traceId}`)).body.data;
  await api.post("/v0/annotations", { title: word, description: word, traceStepId: read.steps[0].id });
  await api.post("/v0/issues", { title: word, source: "API", traceId });
  const made = (await api.post("/v0/tasks/from-trace", { traceId })).body.task;
  await vi.waitFor(async () => expect((await api.get(`/v0/traces?search=${word}`)).body.data).toHaveLength(1), {
    timeout: 20_000,
    interval: 200,
  });
  const before = (await api.get(`/v0/tests/${testIds[0]}`)).body.test;
  expect(await placesOfText(word)).toEqual(expect.arrayContaining(["traces.trace", "notifications.event_log"]));

  const filter = { testId: testIds[0] };
  const dry = await api.post("/v0/traces/delete", { filter, dryRun: true });
  expect(dry.status).toBe(202);
  expect(dry.body).toMatchObject({ count: 1, archivedCount: 0, taskIds: [made.id], issueCount: 2, data: null });
  const { status } = await api.send("DELETE", `/v0/traces/${traceId}`);
  expect(status).toBe(204);
  expect((await api.get(`/v0/traces/${traceId}`)).status).toBe(404);
  expect((await api.send("DELETE", `/v0/traces/${traceId}`)).status).toBe(204);
  await vi.waitFor(
    async () => {
      const places = await placesOfText(word);
      expect(
        places.filter(
          (place) => !/^(catalog\.(task|task_search|eval_definition_task)|experiments\.issue)$/.test(place),
        ),
      ).toEqual([]);
    },
    { timeout: 30_000, interval: 500 },
  );
  const after = (await api.get(`/v0/tests/${testIds[0]}`)).body.test;
  expect(after).toMatchObject({ traceId: null, outcome: before.outcome });
  expect([after.score, after.consumption]).toEqual([before.score, before.consumption]);
  const log = JSON.stringify((await api.get("/v0/audit-log?limit=100")).body);
  expect(log).toContain(traceId);
  expect(log).not.toContain(word);
});

test("a filter is counted first, and confirmed by its count", async () => {
  for (let n = 0; n < 3; n += 1) await newTrace({ metadata: { channel: "bulk" } });
  const filter = { metadataKey: "channel", metadataValue: "bulk" };
  const { body } = await api.post("/v0/traces/delete", { filter, dryRun: true });
  const { count, archivedCount, countedAt } = body;
  expect([count, archivedCount]).toEqual([3, 0]);
  expect((await api.post("/v0/traces/delete", { filter })).status).toBe(400);
  const few = await api.post("/v0/traces/delete", { filter, count: 2, archivedCount, countedAt });
  expect([few.status, few.body.message]).toEqual([409, expect.stringContaining("3 traces match")]);
  const real = await api.post("/v0/traces/delete", { filter, count, archivedCount, countedAt });
  expect([real.status, real.body.data.traces]).toEqual([202, 3]);
  await vi.waitFor(
    async () => {
      const { data } = (await api.get(`/v0/traces/deletions/${real.body.data.id}`)).body;
      expect([data.status, data.deleted.traces]).toEqual(["COMPLETED", 3]);
    },
    { timeout: 30_000, interval: 200 },
  );
  const list = await api.get("/v0/traces?metadataKey=channel&metadataValue=bulk");
  expect(list.body.data).toEqual([]);
});
