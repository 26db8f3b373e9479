// Runs the jobs of one application: adds the words of their steps to the search index.

import { setImmediate as nextTurn } from "node:timers/promises";
import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import { searchedTraceWordsMax } from "@ems/proto/limits";
import type { Job } from "./jobs.ts";
import { type Part, partsToWrite, type StoredPart } from "./parts.ts";
import { addKeys, arrayText, dayKey, type WordKeys, wordKeys } from "./words.ts";

/** Maximum duration of a batch of jobs, shorter than their lease. */
const timeoutMs = 25_000;
/** Length of short payloads after which other requests get a turn on the event loop. */
const lengthPerTurn = 20_000;
/** Average number of keys of a word: its own, and those of its beginnings. */
const keysPerWord = 4;
const limits = { partWordsMax: 2_000 * keysPerWord, traceWordsMax: searchedTraceWordsMax * keysPerWord };

interface Payloads {
  readonly traceId: string;
  readonly createdAt: Date;
  readonly input: string | null;
  readonly output: string | null;
}

// Looks up each trace, because its time determines the partition of its steps.
const payloads = `
  SELECT t.id AS "traceId", t.created_at AS "createdAt", s.input, s.output
  FROM unnest($2::uuid[], $3::integer[]) job (trace_id, position)
  CROSS JOIN LATERAL (SELECT t.id, t.created_at FROM traces.trace t
    WHERE t.application_id = $1 AND t.id = job.trace_id LIMIT 1) t
  JOIN traces.trace_step s ON s.application_id = $1 AND s.trace_id = t.id
    AND s.month = date_trunc('month', t.created_at, 'UTC') AND s."position" >= job.position
  WHERE s.input IS NOT NULL OR s.output IS NOT NULL`;

/** Indexes the steps of an application's jobs, and deletes the jobs. Idempotent. */
export async function indexJobs(database: Database, jobs: readonly Job[]): Promise<void> {
  const [first] = jobs;
  if (first === undefined) return;
  const { applicationId, orgId } = first;
  const scope = { applicationId, orgId };
  const deadlineMs = monotonicMs() + timeoutMs;
  const positions = firstPositions(jobs);
  const values = [applicationId, [...positions.keys()], [...positions.values()]];
  const statement = { name: "read-payloads", text: payloads, values };
  const rows = await database.readScoped<Payloads>(scope, deadlineMs, statement);
  const keys = wordKeys(applicationId);
  const found = await wordsByTrace(rows, keys);
  await database.withScope(scope, deadlineMs, async (tx) => {
    if (found.size > 0) await addWords(tx, applicationId, found, keys);
    tx.defer("DELETE FROM traces.search_job WHERE application_id = $1 AND id = ANY ($2::uuid[])", [
      applicationId,
      jobs.map(({ id }) => id),
    ]);
  });
}

/** Merges the jobs that several requests created for one trace, so that its steps are read together. */
function firstPositions(jobs: readonly Job[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { traceIds, positions } of jobs) {
    for (const [index, traceId] of traceIds.entries()) {
      first.set(traceId, Math.min(first.get(traceId) ?? Number.POSITIVE_INFINITY, positions[index] ?? 0));
    }
  }
  return first;
}

interface TraceWords {
  readonly createdAt: Date;
  readonly words: Set<number>;
}

async function wordsByTrace(rows: readonly Payloads[], keys: WordKeys): Promise<Map<string, TraceWords>> {
  const found = new Map<string, TraceWords>();
  let sinceTurn = 0;
  for (const { traceId, createdAt, input, output } of rows) {
    const { words } = getOrAdd(found, traceId, () => ({ createdAt, words: new Set<number>() }));
    for (const payload of [input ?? "", output ?? ""]) {
      for (const _turn of addKeys(payload, keys, words, limits.traceWordsMax)) await nextTurn();
      sinceTurn += payload.length;
    }
    if (sinceTurn < lengthPerTurn) continue;
    await nextTurn();
    sinceTurn = 0;
  }
  return found;
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const stored = map.get(key) ?? make();
  map.set(key, stored);
  return stored;
}

const storedParts = `
  SELECT trace_id AS "traceId", part AS number, cardinality(words) AS size,
    CASE WHEN part = max(part) OVER (PARTITION BY trace_id) THEN words::float8[] END AS words
  FROM traces.trace_words WHERE application_id = $1 AND trace_id = ANY ($2::uuid[])`;

const writeParts = `
  INSERT INTO traces.trace_words AS stored (application_id, trace_id, part, created_at, words)
  SELECT $1, v.trace_id, v.part, v.created_at, v.words::bigint[]
  FROM unnest($2::uuid[], $3::integer[], $4::timestamptz[], $5::text[]) v (trace_id, part, created_at, words)
  ON CONFLICT (application_id, trace_id, part, created_at) DO UPDATE SET words = excluded.words`;

/** Adds words to the traces' index entries. */
export async function addWords(
  tx: Transaction,
  applicationId: string,
  found: ReadonlyMap<string, TraceWords>,
  { split }: WordKeys,
): Promise<void> {
  tx.defer("SELECT traces.add_months($1::date[])", [[...found.values()].map((trace) => trace.createdAt)]);
  // Allows one writer per application, because a part is read and then rewritten with more words.
  tx.defer("SELECT pg_advisory_xact_lock(hashtext('traces.trace_words'), hashtext($1))", [applicationId]);
  const values = [applicationId, [...found.keys()]];
  const statement = { name: "stored-words", text: storedParts, values };
  const stored = await tx.query<StoredPart & { traceId: string }>(statement);
  const byTrace = Map.groupBy(stored, ({ traceId }) => traceId);
  const parts = [...found].flatMap(([traceId, { createdAt, words }]) =>
    partsToWrite(byTrace.get(traceId) ?? [], words, { split, limits }).map((part) => ({ traceId, createdAt, part })),
  );
  if (parts.length === 0) return;
  const list = <T>(of: (part: Part) => T) => parts.map(({ part }) => of(part));
  tx.defer({
    name: "write-words",
    text: writeParts,
    values: [
      applicationId,
      parts.map(({ traceId }) => traceId),
      list(({ number }) => number),
      parts.map(({ createdAt }) => createdAt),
      parts.map(({ createdAt, part: { words } }) => arrayText([...words, dayKey(createdAt)])),
    ],
  });
}
