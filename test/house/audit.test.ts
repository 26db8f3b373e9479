// Triggers write every change of a resource to the audit log; no statement can bypass them.

import { readFile } from "node:fs/promises";
import { schemas } from "@ems/deploy/schemas";
import { testDatabase } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";

const database = await testDatabase(inject("postgres"));
afterAll(() => database.drop());

/** Tables that people do not change, each with its reason. */
const unlogged: Readonly<Record<string, readonly string[]>> = {
  "the machinery of every service": ["archive_batch", "audit", "idempotency", "migration", "outbox", "retention"],
  "made once, of what is there at the time": ["judge_calibration", "task_set_*"],
  "kept by triggers or the product itself": [
    "*_count",
    "*_search",
    "*_day",
    "*_stat",
    "run_definition",
    "task_run_type",
    "monitoring_run",
    "dropped_trace",
  ],
  "ingested, or recorded in bulk": [
    "trace",
    "trace_*",
    "log_message",
    "test",
    "evaluation",
    "external_evaluation",
    "evaluation_name",
    "attachment",
  ],
  "work in flight": [
    "test_execution",
    "document_test",
    "document_question",
    "search_job",
    "erasure_trace",
    "erasure_work",
    "job",
    "mail_job",
    "export_job",
    "model_call",
    "spending",
  ],
  "deliveries, and what they are made of": ["attempt", "dead_event", "delivery", "event_*", "inbox", "prompt_outcome"],
  "sent once and never changed": ["feedback"],
  "created and deleted with their traces": ["traces.session", "step_day*", "step_change"],
  "recorded at a first sign-in, and never changed": ["sign_in"],
  "no request changes them": ["organisation", "app_config"],
  "references to a quickstart of experiments": ["catalog.quickstart"],
  "written with imported tasks, whose changes are logged": ["catalog.imported_task"],
};

const reasons = Object.values(unlogged).flat();
const isUnlogged = (schema: string, table: string) =>
  reasons.some((pattern) =>
    new RegExp(`^${pattern.replace("*", ".+")}$`).test(pattern.includes(".") ? `${schema}.${table}` : table),
  );

const tables = await database.sql<{
  schema: string;
  table: string;
  events: string[];
  secrets: string;
  columns: string[];
}>(
  `SELECT n.nspname AS schema, c.relname AS "table",
     array(SELECT t.tgname::text FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname LIKE 'audit\\_%' ORDER BY 1) AS events,
     coalesce((SELECT encode(t.tgargs, 'escape') FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'audit_insert'), '') AS secrets,
     array(SELECT a.attname || ' ' || format_type(a.atttypid, null) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
       AND NOT a.attisdropped) AS columns
   FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY ($1) ORDER BY 1, 2`,
  [schemas.map(({ name }) => name)],
);

test("a table is logged, or it is said why not", () => {
  const wrong = tables
    .filter(({ schema, table, events }) => events.length > 0 === isUnlogged(schema, table))
    .map(({ schema, table }) => `${schema}.${table}`);
  expect(tables.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

test("what is logged is logged whatever happens to it; of runs, which results change all the time, only labels", () => {
  const partly = tables.filter(({ events }) => events.length > 0 && events.length < 3);
  expect(partly.map(({ table, events }) => [table, events])).toEqual([]);
});

test("columns that hold secrets or sealed bytes are named as such", () => {
  const isSecret = (column: string) => / bytea$|^(secret|previous_secret|headers|api_key|digest) /.test(column);
  const open = tables
    .filter(({ events }) => events.length > 0)
    .flatMap(({ table, secrets, columns }) => {
      const named = secrets.split("\\000")[2]?.split(",") ?? [];
      return columns
        .filter((column) => isSecret(column) && !named.includes(column.split(" ")[0] ?? ""))
        .map((column) => `${table}.${column}`);
    });
  expect(open).toEqual([]);
});

test("the console's page of the log knows every kind of resource, to filter by it", async () => {
  const page = await readFile(new URL("../../gateway/console/src/audit/resources.ts", import.meta.url), "utf8");
  const kinds = tables.filter(({ events }) => events.length > 0).map(({ secrets }) => secrets.split("\\000")[0] ?? "");
  expect(kinds.filter((kind) => !new RegExp(`^  "?${kind}"?[:,]`, "m").test(page))).toEqual([]);
});

test("a service can neither write, change nor delete what was logged", async () => {
  const grants = await database.sql(
    `SELECT grantee, table_schema, privilege_type FROM information_schema.role_table_grants
     WHERE table_name = 'audit' AND grantee <> 'ems_owner' AND privilege_type <> 'SELECT' AND table_schema = ANY ($1)`,
    [schemas.map(({ name }) => name)],
  );
  expect(grants).toEqual([]);
});
