// An end user with very many traces: one of each row is created by the API, and copied in the database.

import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** The user of the traces, and a text in them. */
export const erasedUser = { user: "ann@example.com", says: "Card 4711x" } as const;

export interface ToFill {
  readonly databaseUrl: string;
  readonly applicationId: string;
  readonly traces: number;
  /** Traces of tests, each with an evaluation, judge job, prompt, and issue with a logged and delivered event. */
  readonly tests: number;
  /** Traces of another user, and deliveries that name no user. */
  readonly foreign: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read by their documented fields
  send(path: string, body: object, headers?: Record<string, string>): Promise<any>;
}

/** Returns the expected counts of the user's erasure. */
export async function fillUser(to: ToFill): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: to.databaseUrl });
  await client.connect();
  try {
    await copyAll(client, to, await originals(client, to));
    await client.query("VACUUM (ANALYZE)");
  } finally {
    await client.end();
  }
  const { traces, tests } = to;
  const each = { tests, evaluations: tests, issues: tests, jobs: tests, deliveries: 2 * tests, events: tests };
  return { traces, steps: 2 * traces, humanAnnotations: 0, tasks: 0, ...each };
}

interface Originals {
  readonly testId: string;
  readonly traceId: string;
  readonly otherId: string;
  readonly issueId: string;
}

async function originals(client: pg.Client, { applicationId, send }: ToFill): Promise<Originals> {
  const { user, says } = erasedUser;
  const { task } = await send("/v0/tasks", { title: "Task", description: "Is asked of a card" });
  const custom = { type: "CUSTOM", name: "Polite", globalConfig: { criterion: "Polite" } };
  const { data: definition } = await send("/v0/definitions", custom);
  const evaluations = [{ definitionId: definition.id, passed: true, results: { says } }];
  const { testIds } = await send("/v0/tests/results", { tests: [{ taskId: task.id, evaluations }] });
  const steps = ["request", "response"].map((type) => ({ type, content: says }));
  const mine = { type: "trace", metadata: { userId: user, channel: "chat" }, testId: testIds[0], steps };
  const other = { type: "trace", metadata: { userId: "bob@example.com" }, steps };
  const [{ id: traceId }, { id: otherId }] = (await send("/v0/ingest", { events: [mine, other] })).data;
  await send("/v0/issues", { title: says, source: "API", traceId }, { "idempotency-key": "k" });
  const { rows: issues } = await client.query("SELECT id FROM experiments.issue WHERE trace_id = $1", [traceId]);
  const rows = async (text: string, value: unknown) => (await client.query(text, [value])).rowCount;
  const words = "SELECT FROM traces.trace_words WHERE trace_id = ANY ($1)";
  const event = "SELECT FROM notifications.event_log WHERE application_id = $1 AND type = 'issue.created'";
  while ((await rows(words, [traceId, otherId])) !== 2 || (await rows(event, applicationId)) !== 1) await delay(50);
  return { testId: testIds[0], traceId, otherId, issueId: issues[0].id };
}

async function copyAll(client: pg.Client, to: ToFill, { testId, traceId, otherId, issueId }: Originals): Promise<void> {
  const { applicationId, traces, tests, foreign } = to;
  await client.query(
    `CREATE TEMP TABLE copy AS SELECT n, CASE WHEN n < $1 THEN $3::uuid ELSE $4::uuid END AS of, uuidv7() AS id,
       CASE WHEN n < $2 THEN uuidv7() END AS test_id, CASE WHEN n < $2 THEN uuidv7() END AS issue_id
     FROM generate_series(1, $1::int + $5 - 1) n`,
    [traces, tests, traceId, otherId, foreign],
  );
  const copies = (table: string, where: string, fields: string) =>
    client.query(`INSERT INTO ${table} SELECT made.* FROM copy JOIN ${table} one ON one.application_id = '${applicationId}' AND ${where},
      LATERAL jsonb_populate_record(one, jsonb_build_object(${fields})) made`);
  await copies("traces.trace", "one.id = copy.of", "'id', copy.id, 'test_id', copy.test_id");
  for (const table of ["trace_step", "trace_words", "trace_metadata"])
    await copies(`traces.${table}`, "one.trace_id = copy.of", "'trace_id', copy.id");
  const ofTests = (where: string) => `copy.test_id IS NOT NULL AND ${where}`;
  await copies("experiments.test", ofTests(`one.id = '${testId}'`), "'id', copy.test_id, 'trace_id', copy.id");
  const evaluation = "'id', uuidv7(), 'test_id', copy.test_id";
  await copies("experiments.evaluation", ofTests(`one.test_id = '${testId}'`), evaluation);
  await copies("experiments.issue", ofTests(`one.id = '${issueId}'`), "'id', copy.issue_id, 'trace_id', copy.id");
  const entry = "'id', uuidv7(), 'entity_id', copy.issue_id";
  await copies("experiments.audit", ofTests(`one.entity_id = '${issueId}'`), entry);
  await copies("experiments.idempotency", ofTests("one.key = 'k'"), "'key', copy.issue_id");
  // The event's bytes contain its issue's id.
  const bytes = (id: string) => `encode(convert_to(${id}::text, 'UTF8'), 'hex')`;
  const message = `replace(encode(one.message, 'hex'), ${bytes(`'${issueId}'`)}, ${bytes("copy.issue_id")})`;
  const position = `'position', one.position + copy.n, 'message', '\\x' || ${message}`;
  await copies("notifications.event_log", ofTests("one.type = 'issue.created'"), position);
  await client.query(
    `INSERT INTO evaluation.job (application_id, id, org_id, kind, test_id, needs_model, created_at, finished_at, replies)
     SELECT application_id, uuidv7(), org_id, 'JUDGE', id, true, now(), now(), '["Card 4711x"]' FROM experiments.test WHERE application_id = $1`,
    [applicationId],
  );
  await client.query(
    `INSERT INTO notifications.delivery (application_id, id, org_id, webhook_id, type, payload, status, created_at, schedule_steps, kind)
     SELECT application_id, coalesce(prompt, uuidv7()), org_id, uuidv7(), type, payload::text, 'DELIVERED', now(), 5, kind FROM (
       SELECT application_id, org_id, id AS prompt, 'prompt' AS type, '{"prompt":"Card 4711x"}'::jsonb AS payload, 'PROMPT' AS kind
       FROM experiments.test WHERE application_id = $1
       UNION ALL SELECT application_id, org_id, NULL, 'issue.created', jsonb_build_object('data', jsonb_build_object('id', id)), 'EVENT'
       FROM experiments.issue WHERE application_id = $1
       UNION ALL SELECT application_id, org_id, NULL, 'topic.created', jsonb_build_object('data', jsonb_build_object('id', n)), 'EVENT'
       FROM traces.trace, generate_series(1, $3) n WHERE application_id = $1 AND id = $2) one`,
    [applicationId, traceId, foreign],
  );
}
