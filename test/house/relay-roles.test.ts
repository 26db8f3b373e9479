// Permissions of each service's relay role, read from the catalog of a migrated database, and tried on every table,
// view and column.

import { schemas } from "@ems/deploy/schemas";
import { hasOutbox, relayRole } from "@ems/kit/db/schema";
import { testDatabase } from "@ems/test-support";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

const database = await testDatabase(inject("postgres"));
beforeAll(() => database.sql("SELECT experiments.add_months('{2026-01-01}')"));
afterAll(() => database.drop());

const ownOutbox = "DELETE; SELECT; UPDATE (last_error, locked_until, publish_attempts, published_at)";
const foreignOutbox = "SELECT (application_id, id, published_at); UPDATE (locked_until, published_at)";

/** Retention settings, and applications with expired entries in the audit log. */
const retention = (schema: string) => ({
  [`${schema}.retention`]: "INSERT; SELECT; UPDATE",
  [`${schema}.audit`]: "SELECT (application_id, created_at)",
});

/** Complete rights of each role, by table; everything else is forbidden. */
const rights: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ems_identity_relay: { "identity.outbox": ownOutbox, ...retention("identity") },
  ems_catalog_relay: { "catalog.outbox": ownOutbox, ...retention("catalog") },
  ems_experiments_relay: {
    "experiments.outbox": ownOutbox,
    ...retention("experiments"),
    // Applications with rows past their retention.
    "experiments.test": "SELECT (application_id, created_at)",
    // Batches of the archive: their states, and which applications have withdrawn ones.
    "experiments.archive_batch": "SELECT",
    "experiments.document_test": "SELECT; UPDATE (attempt, due_at)",
    "experiments.erasure": "SELECT; UPDATE (due_at)",
    "experiments.erasure_work": "SELECT; UPDATE (due_at)",
    "experiments.execution_setting": "SELECT",
    "experiments.monitoring_run": "SELECT",
    // Judges to be calibrated.
    "experiments.judge_calibration": "SELECT",
    "experiments.test_execution": "SELECT; UPDATE (attempt, due_at, state)",
  },
  ems_traces_relay: {
    "traces.outbox": ownOutbox,
    ...retention("traces"),
    // The same as in experiments.
    "traces.trace": "SELECT (application_id, created_at)",
    // Retention deletes feedback and evaluations whose trace was archived.
    "traces.feedback": "DELETE; SELECT (application_id, created_at, id)",
    "traces.attachment": "DELETE; SELECT (application_id, created_at, hash)",
    "traces.trace_attachment": "DELETE; SELECT (application_id, created_at, hash)",
    "traces.external_evaluation": "DELETE; SELECT (application_id, created_at, id)",
    "traces.archive_batch": "SELECT",
    // Steps to be indexed: their ids, but not their texts.
    "traces.search_job": "SELECT; UPDATE (leased_until)",
    // Traces to be completed, and those that experiments has handled.
    "traces.trace_settling": "DELETE; SELECT; UPDATE (leased_until)",
    // Two views, the judged share of live traffic and the applications of erasures, and the columns that the views read.
    "traces.sample_rate_v1": "SELECT",
    "traces.running_erasure_v1": "SELECT",
    "experiments.execution_setting": "SELECT (application_id, sample_rate)",
    "experiments.erasure": "SELECT (application_id, status)",
  },
  ems_evaluation_relay: {
    "evaluation.outbox": ownOutbox,
    ...retention("evaluation"),
    "evaluation.task_schedule": "SELECT; UPDATE (leased_until)",
    "evaluation.job":
      "DELETE; INSERT; SELECT; UPDATE (attempts, consumed, finished_at, leased_until, next_attempt_at, outcome, replies, waiting_for)",
    "evaluation.model_call": "DELETE; INSERT; SELECT",
  },
  ems_notifications_relay: {
    // Ids of events: reconciliation compares them with the inbox.
    "identity.outbox": foreignOutbox,
    "catalog.outbox": foreignOutbox,
    "traces.outbox": foreignOutbox,
    "experiments.outbox": foreignOutbox,
    "evaluation.outbox": foreignOutbox,
    "notifications.outbox": ownOutbox,
    ...retention("notifications"),
    "notifications.inbox": "DELETE; INSERT; SELECT",
    "notifications.dead_event": "DELETE; INSERT; SELECT",
    "notifications.event_log": "INSERT",
    "notifications.event_position": "INSERT; SELECT; UPDATE (position)",
    "notifications.webhook": "SELECT; UPDATE (failing_since, failure_streak)",
    "notifications.delivery":
      "DELETE; INSERT; SELECT; UPDATE (attempt_count, last_outcome, last_status_code, leased_until, next_attempt_at, schedule_step, status)",
    "notifications.attempt": "INSERT; SELECT",
    "notifications.prompt_outcome": "DELETE; INSERT; SELECT; UPDATE (attempts, leased_until, next_attempt_at)",
    "notifications.mail_job":
      "DELETE; INSERT; SELECT; UPDATE (attempts, finished_at, last_error, leased_until, next_attempt_at, status)",
    "notifications.feedback": "SELECT; UPDATE (asked_at, error, status)",
    "notifications.export_setting": "SELECT",
    "notifications.export_job":
      "SELECT; UPDATE (attempts, byte_count, error_cause, error_message, exported_bytes, exported_objects, exported_rows, exported_start, last_run_at, leased_until, next_attempt_at, page_cursor, part, period_end, period_start, row_count)",
  },
};

/** Functions that act on expired rows as the owner. They reveal nothing beyond the retention settings. */
const ownersFunctions: Readonly<Record<string, readonly string[]>> = {
  ems_identity_relay: ["identity.forget_audit"],
  ems_catalog_relay: ["catalog.forget_audit"],
  ems_experiments_relay: [
    "experiments.detach_emptied",
    "experiments.detach_expired",
    "experiments.drop_detached",
    "experiments.forget_audit",
    "experiments.hide_expired",
  ],
  ems_traces_relay: [
    "traces.detach_emptied",
    "traces.detach_expired",
    "traces.drop_detached",
    "traces.forget_audit",
    "traces.hide_expired",
  ],
  ems_evaluation_relay: ["evaluation.forget_audit"],
  ems_notifications_relay: ["notifications.forget_audit"],
};

/** Returns the rights of a role on each table and view, or on individual columns. */
async function readRights(role: string): Promise<Record<string, string>> {
  const rows = await database.sql<{ place: string; may: string }>(
    `WITH place AS (
       SELECT c.oid, n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname !~ '^pg_|^information_schema$' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')),
     whole AS (
       SELECT oid, kind FROM place, unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) AS kind
       WHERE has_table_privilege($1, oid, kind)),
     part AS (
       SELECT oid, kind, kind || ' (' || string_agg(a.attname, ', ' ORDER BY a.attname) || ')' AS what
       FROM place JOIN pg_attribute a ON a.attrelid = oid AND a.attnum > 0 AND NOT a.attisdropped,
         unnest('{SELECT,INSERT,UPDATE,REFERENCES}'::text[]) AS kind
       WHERE has_column_privilege($1, oid, a.attnum, kind) AND NOT has_table_privilege($1, oid, kind)
       GROUP BY oid, kind)
     SELECT name AS place, string_agg(what, '; ' ORDER BY what) AS may
     FROM place JOIN (SELECT oid, kind AS what FROM whole UNION ALL SELECT oid, what FROM part) AS given USING (oid)
     GROUP BY 1`,
    [role],
  );
  return Object.fromEntries(rows.map(({ place, may }) => [place, may]));
}

test("there is a relay role for every service that has an outbox, and no other", async () => {
  const roles = await database.sql<{ name: string }>(
    "SELECT rolname AS name FROM pg_roles WHERE rolname LIKE 'ems\\_%relay' ORDER BY 1",
  );
  const own = schemas.filter(hasOutbox).map(relayRole);
  expect(roles.map(({ name }) => name)).toEqual(own.sort());
  expect(Object.keys(rights).sort()).toEqual(own.sort());
});

describe.each(Object.entries(rights))("%s", (role, mayDo) => {
  test("has exactly the rights that its work needs", async () => {
    expect(await readRights(role)).toEqual(mayDo);
    const functions = await database.sql<{ name: string }>(
      `SELECT n.nspname || '.' || p.proname AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname !~ '^(pg_|information_schema$)' AND has_schema_privilege($1, n.oid, 'USAGE')
         AND has_function_privilege($1, p.oid, 'EXECUTE') AND p.prosecdef AND p.proname <> 'kept_since' ORDER BY 1`,
      [role],
    );
    expect(functions.map(({ name }) => name)).toEqual(ownersFunctions[role] ?? []);
    expect(await database.sql("SELECT FROM pg_auth_members WHERE member = $1::regrole", [role])).toEqual([]);
  });
});

test.each(schemas.filter(hasOutbox).map(({ name }) => name))(
  "connected as the relay of %s, every other table is refused",
  async (name) => {
    const client = new pg.Client({ connectionString: database.getRelayUrl({ name }) });
    await client.connect();
    try {
      const tables = await database.sql<{ place: string }>(
        `SELECT n.nspname || '.' || c.relname AS place FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p', 'v')`,
        [schemas.map((schema) => schema.name)],
      );
      expect(tables.length).toBeGreaterThan(50);
      const readable: string[] = [];
      for (const { place } of tables) {
        const answer = await client
          .query(`SELECT * FROM ${place} LIMIT 1`)
          .catch((error: pg.DatabaseError) => error.code);
        if (answer !== "42501") readable.push(place);
      }
      const may = rights[relayRole({ name })] ?? {};
      const whole = Object.entries(may).filter(([, what]) => /SELECT(;|$)/.test(what));
      expect(readable.sort()).toEqual(whole.map(([place]) => place).sort());
    } finally {
      await client.end();
    }
  },
);

test("notifications may have events of others sent again, and neither hide one nor see what it says", async () => {
  const application = "01890000-0000-7000-8000-000000000001";
  await database.sql(
    `INSERT INTO catalog.outbox (application_id, id, org_id, type, subject, message, occurred_at, published_at)
     SELECT $1, gen_random_uuid(), 'org', 'topic.created', 'subject', 'told', now(), published FROM unnest($2::timestamptz[]) AS published`,
    [application, [null, new Date()]],
  );
  const client = new pg.Client({ connectionString: database.getRelayUrl({ name: "notifications" }) });
  await client.connect();
  const rowCount = (text: string) =>
    client.query(text).then(
      ({ rowCount }) => rowCount,
      (error: pg.DatabaseError) => error.code,
    );
  try {
    for (const column of ["message", "payload"]) {
      expect(await rowCount(`SELECT ${column} FROM catalog.outbox`)).toBe("42501");
      expect(await rowCount(`SELECT FROM catalog.outbox WHERE ${column} IS NOT NULL`)).toBe("42501");
    }
    for (const tenant of ["", application]) {
      await client.query("SELECT set_config('ems.application_id', $1, false)", [tenant]);
      expect(await rowCount("UPDATE catalog.outbox SET published_at = now() WHERE published_at IS NULL")).toBe(0);
      expect(await rowCount("UPDATE catalog.outbox SET published_at = now()")).toBe("42501");
      expect(await rowCount("UPDATE catalog.outbox SET published_at = NULL, locked_until = 'infinity'")).toBe("42501");
    }
    expect(await rowCount("UPDATE catalog.outbox SET published_at = NULL, locked_until = NULL")).toBe(1);
    expect(await database.sql("SELECT FROM catalog.outbox WHERE published_at IS NULL")).toHaveLength(2);
  } finally {
    await client.end();
  }
});
