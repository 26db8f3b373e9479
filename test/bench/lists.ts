// Time of list pages by the number of rows, through the whole product: first page, middle page, filtered pages.

import pg from "pg";
import type { Ground } from "./ground.ts";
import type { Figure, Measurement } from "./page.ts";
import { type Bench, inTurn, type Part, type Round } from "./part.ts";
import { type Side, startProductSide } from "./sides.ts";
import { percentile } from "./statistics.ts";

export const lists: Part = {
  title: "Pages of lists",
  note: `25 rows of an application with so many traces, topics and tests each, spread over a year, one process, one request at a time, baseline
the same page of the fewest rows. Above 0.67 it is flat within 1.5 times.`,
  measure: measureLists,
};

/** End of the year to which the rows belong. */
const endMs = Date.parse("2026-11-01T00:00:00Z");
const yearMs = 365 * 86_400_000;
const at = (share: number) => new Date(endMs - share * yearMs).toISOString();
const halfYear = `startDate=${at(0.75)}&endDate=${at(0.25)}`;

/** Returns paths by name; `rows` is the number of rows. */
const getPages = (rows: number): Record<string, string> => ({
  "traces, first": "/v0/traces",
  "traces, in the middle": `/v0/traces?skip=${rows / 2}`,
  "traces by time, in the middle of half a year": `/v0/traces?orderBy=timestamp&${halfYear}&skip=${rows / 4}`,
  "traces, of one reference": "/v0/traces?referenceId=call-77",
  "topics, first": "/v0/topics",
  "topics, in the middle": `/v0/topics?skip=${rows / 2}`,
  "topics, archived (1 of 1000), in the middle": `/v0/topics?status=ARCHIVED&skip=${Math.floor(rows / 2000)}`,
  "tests, first": "/v0/tests",
  "tests, in the middle": `/v0/tests?skip=${rows / 2}`,
  "tests, failed (1 of 1000), in the middle": `/v0/tests?status=FAILED&skip=${Math.floor(rows / 2000)}`,
  "tests, in the middle of half a year": `/v0/tests?${halfYear}&skip=${rows / 4}`,
});

async function measureLists(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rows of bench.options.rows) {
    const open = (ground: Ground, stack: AsyncDisposableStack) => openLists(rows, ground, stack);
    figures.push(...(await inTurn(bench, 3, open, { onDisk: true })));
  }
  const fewest = figures.slice(0, figures.length / bench.options.rows.length);
  return figures.map((figure, index) => {
    const { value } = fewest[index % fewest.length] ?? figure;
    return { ...figure, baseline: { what: `${bench.options.rows[0]} rows`, value } };
  });
}

async function openLists(rows: number, ground: Ground, stack: AsyncDisposableStack): Promise<Round> {
  const side = await startProductSide("one", ground, stack);
  await fillLists(side.adminUrl, { ...side.tenant, rows });
  const round = async (): Promise<Measurement[]> => {
    const measured: Measurement[] = [];
    for (const [name, path] of Object.entries(getPages(rows))) {
      measured.push({ what: `${rows}: ${name}`, unit: "ms", value: await p50Of(side, path) });
    }
    return measured;
  };
  await round();
  return round;
}

const [warmUps, repetitions] = [10, 30];

async function p50Of({ baseUrl, headers }: Side, path: string): Promise<number> {
  const times: number[] = [];
  for (let repetition = 0; repetition < warmUps + repetitions; repetition++) {
    const startMs = performance.now();
    const answer = await fetch(baseUrl + path, { headers });
    const { data = [], pagination } = (await answer.json()) as { data?: unknown[]; pagination?: { total: number } };
    if (repetition >= warmUps) times.push(performance.now() - startMs);
    if (data.length === 0 || !(Number(pagination?.total) >= data.length)) {
      throw new Error(`${path}: ${answer.status}, ${data.length} of ${pagination?.total} rows`);
    }
  }
  return percentile(
    times.toSorted((a, b) => a - b),
    50,
  );
}

interface Filling {
  readonly applicationId: string;
  readonly orgId: string;
  readonly rows: number;
}

/** Rows per statement; the triggers of the counts hold all rows of a statement in memory. */
const batch = 250_000;

/** `adminUrl` is a superuser's, which bypasses row-level security. Triggers of searched texts are off. */
export async function fillLists(adminUrl: string, { applicationId, orgId, rows }: Filling): Promise<void> {
  const client = new pg.Client({
    connectionString: adminUrl,
    options: "-c timezone=UTC -c maintenance_work_mem=512MB",
  });
  await client.connect();
  try {
    await client.query("ALTER TABLE catalog.topic DISABLE TRIGGER search");
    await client.query("ALTER TABLE traces.trace_step DISABLE TRIGGER ALL");
    const months = Array.from({ length: 14 }, (_, month) =>
      new Date(Date.UTC(2025, 9 + month)).toISOString().slice(0, 10),
    );
    await client.query("SELECT experiments.add_months($1)", [months]);
    const texts = { ...filling, ...((await hasMonths(client)) ? {} : { traces: earlierTraces }) };
    for (let first = 1; first <= rows; first += batch) {
      const last = Math.min(first + batch - 1, rows);
      for (const text of Object.values(texts)) await client.query(text, [applicationId, orgId, rows, first, last]);
    }
    await client.query("ALTER TABLE catalog.topic ENABLE TRIGGER search");
    await client.query("ALTER TABLE traces.trace_step ENABLE TRIGGER ALL");
    // Otherwise autovacuum would run during the measurement.
    await client.query("VACUUM (ANALYZE)");
  } finally {
    await client.end();
  }
}

async function hasMonths(client: pg.Client): Promise<boolean> {
  const text = "SELECT relkind = 'p' AS is_parted FROM pg_class WHERE oid = 'traces.trace_step'::regclass";
  return (await client.query<{ is_parted: boolean }>(text)).rows[0]?.is_parted === true;
}

const series = `generate_series($4::int, $5::int) n, LATERAL (
  SELECT '${new Date(endMs).toISOString()}'::timestamptz - (1 - n / $3::float8) * interval '365 days' AS at) time`;

/** Returns SQL for a valid id that depends only on the text. */
const buildIdSql = (text: string) => `overlay(overlay(md5(${text}) placing '8' from 13) placing '8' from 17)::uuid`;

/** For commits before steps were partitioned by month. */
const earlierTraces = `
    WITH trace AS (
      INSERT INTO traces.trace (application_id, id, org_id, trace_id, reference_id, "timestamp", metadata, size, created_at)
      SELECT $1, id, $2, id, 'call-' || n, at, '{"channel":"chat"}', 100, at FROM ${series}, LATERAL (SELECT uuidv7() AS id, n AS own) ids
      RETURNING application_id, trace_id, created_at
    )
    INSERT INTO traces.trace_step (application_id, trace_id, id, type, event, name, "timestamp", input_tokens, output_tokens,
      metadata, size, position, created_at)
    SELECT application_id, trace_id, trace_id, 'llm', 'end', 'answer', created_at, 100, 9, '{}', 100, 0, created_at FROM trace`;

const filling = {
  topics: `
    INSERT INTO catalog.topic (application_id, id, org_id, title, status, created_at, modified_at)
    SELECT $1, uuidv7(), $2, 'Topic ' || n, CASE WHEN n % 1000 = 0 THEN 'ARCHIVED' ELSE 'ACTIVE' END, at, at FROM ${series}`,
  traces: `
    WITH trace AS (
      INSERT INTO traces.trace (application_id, id, org_id, reference_id, "timestamp", type, event, is_root_child, has_error,
        steps, bytes, step_count, total_cost, total_duration_ms, total_prompt_tokens, total_completion_tokens, pinned, metadata,
        created_at, modified_at)
      SELECT $1, uuidv7(), $2, 'call-' || n, at, 'llm', 'end', false, false, 1, 200, 1, 0.001, 900, 100, 9, 0, '{"channel":"chat"}',
        at, at FROM ${series}
      RETURNING application_id, id, created_at
    )
    INSERT INTO traces.trace_step (application_id, month, trace_id, id, "timestamp", "position", size, type, event, input, output,
      fields)
    SELECT application_id, date_trunc('month', created_at, 'UTC'), id, id, created_at, 0, 200, 'llm', 'end', 'Which fee?',
      '{"message":"None."}', '{"name":"answer","usage":{"promptTokens":100,"completionTokens":9}}' FROM trace`,
  tests: `
    INSERT INTO experiments.test (application_id, id, created_at, score_micro, task_id, topic_id, run_id, duration_ms, passed, org_id,
      run_type, status, definition_ids)
    SELECT $1, uuidv7(), at, 500000, ${buildIdSql(`'task' || n % 2000`)}, ${buildIdSql(`'topic' || n % 25`)}, ${buildIdSql(`'run' || n / 500`)}, 900,
      true, $2, 'MANUAL', CASE WHEN n % 1000 = 0 THEN 'FAILED' ELSE 'COMPLETED' END, '{}' FROM ${series}`,
};
