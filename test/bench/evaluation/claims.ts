// Time to claim 32 jobs while few or 100,000 jobs wait.

import { defineQueue, firstApplication } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import type pg from "pg";
import type { Measurement } from "../page.ts";
import { percentile } from "../statistics.ts";

/** Measures a claim on a copy of the table, with few jobs and with many. */
export async function claims(client: pg.Client): Promise<Measurement[]> {
  await client.query("DROP TABLE IF EXISTS public.bench_job");
  await client.query("CREATE TABLE public.bench_job (LIKE evaluation.job INCLUDING ALL)");
  // A claim uses only these parts of the relay's database.
  const relayDatabase = {
    query: async ({ text, values }: pg.QueryConfig) => (await client.query(text, values)).rows,
  } as unknown as RelayDatabase;
  const queue = defineQueue<{ readonly kind: string }>({
    name: "bench.jobs",
    table: "public.bench_job",
    lane: "needs_model",
    columns: ["kind"],
    fairness: "applications",
  });
  const jobs = queue.on(relayDatabase);
  const median = async () => {
    const took: number[] = [];
    for (let at = 0; at < 30; at++) {
      const startMs = performance.now();
      const claimed = await jobs.claim({
        lane: true,
        now: new Date(),
        leaseMs: 30_000,
        rowsMax: 32,
        perApplicationMax: 32,
        running: new Map(),
        blocked: [],
        after: firstApplication,
      });
      took.push(performance.now() - startMs);
      if (claimed.length !== 32) throw new Error(`${claimed.length} jobs were claimed`);
    }
    return percentile(took, 50);
  };
  await addJobs(client, 1_000);
  const few = await median();
  await addJobs(client, 100_000);
  const many = await median();
  await client.query("DROP TABLE public.bench_job");
  return [{ what: "claim, 100,000 waiting", unit: "ms", value: many, baseline: { what: "1,000", value: few } }];
}

async function addJobs(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `INSERT INTO public.bench_job (application_id, id, org_id, kind, test_id, needs_model, created_at, next_attempt_at)
     SELECT $1, gen_random_uuid(), 'bench', 'JUDGE', gen_random_uuid(), true, now(), now() FROM generate_series(1, $2)`,
    [newId(), count],
  );
  await client.query("ANALYZE public.bench_job");
}
