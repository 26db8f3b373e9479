// Tables of traces that are archived (services/archive), and the columns and related rows that move with them.

import type { ArchivedKind } from "@ems/archive";
import { monotonicMs } from "@ems/kit/clock";
import { deleteInterval } from "@ems/kit/retention";
import { expireAttachments } from "../attachments/index.ts";
import { movedTraces } from "../retention/index.ts";
import { addWords, wordKeys } from "../search/index.ts";
import { addMetadata, addMonth, TraceEntity, TraceStepEntity } from "../traces/index.ts";

const timeoutMs = 30_000;

/**
 * Selects the keys of a trace's words: keys are never negative, other numbers in the column stand for days. Sorted,
 * because similar numbers next to each other compress better.
 */
const words = `(SELECT '[' || coalesce(string_agg(key::text, ',' ORDER BY key), '') || ']'
  FROM traces.trace_words w, unnest(w.words) key
  WHERE w.application_id = r.application_id AND w.trace_id = r.id AND w.created_at = r.created_at AND key >= 0)`;

/** Small granularity of the index, because pages of lists look up scattered traces and steps. */
const granularity = 1_024;

const rememberTraces = `INSERT INTO traces.dropped_trace (application_id, id, created_at)
  SELECT application_id, id, created_at FROM traces.trace
  WHERE application_id = $1 AND created_at >= $2 AND created_at < $3 ON CONFLICT DO NOTHING`;
const forgetTraces = `DELETE FROM traces.dropped_trace
  WHERE application_id = $1 AND created_at >= $2 AND created_at < $3`;
/** Deletes rows of a table that belong to traces of an interval that only the archive has. */
const deleteKept = (table: string) => `DELETE FROM traces.${table} r USING traces.dropped_trace d
  WHERE r.application_id = $1 AND r.trace_id = d.id
    AND d.application_id = $1 AND d.created_at >= $2 AND d.created_at < $3`;

export const archivedTraces: ArchivedKind = {
  kind: "traces",
  root: "traces.trace",
  busy: `r.modified_at >= $4
    OR EXISTS (SELECT FROM traces.trace_settling s WHERE s.application_id = r.application_id AND s.trace_id = r.id)
    OR r.id IN (SELECT unnest(j.trace_ids) FROM traces.search_job j WHERE j.application_id = $1)
    OR EXISTS (SELECT FROM traces.test_v1 t WHERE t.application_id = r.application_id AND t.id = r.test_id
      AND t.status NOT IN ('COMPLETED', 'FAILED'))`,
  tables: [
    {
      entity: TraceEntity,
      derived: { words: { type: "Array(UInt64)", sql: words } },
      order: ["id"],
      lookups: ["id", "earlier_id", "test_id", "reference_id", "end_user_key", "words"],
      granularity,
    },
    {
      entity: TraceStepEntity,
      derived: { created_at: { type: "DateTime64(3, 'UTC')", sql: "t.created_at AT TIME ZONE 'UTC'" } },
      rows: `traces.trace t JOIN traces.trace_step r
        ON r.application_id = t.application_id AND r.trace_id = t.id AND r.month = date_trunc('month', t.created_at, 'UTC')
        WHERE t.application_id = $1 AND t.created_at >= $2 AND t.created_at < $3
          AND r.month = date_trunc('month', $3 - interval '1 ms', 'UTC')`,
      order: ["trace_id", "timestamp", "position"],
      lookups: ["trace_id"],
      granularity,
    },
  ],
  evict: async (tx, ...interval) => {
    tx.defer(rememberTraces, interval);
    return deleteInterval(movedTraces, tx, ...interval);
  },
  beforeRestore: async (tx, { applicationId, from, to }) => {
    tx.defer(forgetTraces, [applicationId, new Date(from), new Date(to)]);
    addMonth(tx, new Date(to - 1));
  },
  onRestored: async (tx, { applicationId }, read) => {
    const keys = wordKeys(applicationId);
    for await (const json of read("trace", "id, created_at, words")) {
      const rows: { id: string; created_at: string; words: string[] }[] = JSON.parse(json);
      const found = rows.map(({ id, created_at: createdAt, words }) => {
        const own = words.map(Number).filter((word) => word >= 0 && word !== keys.split);
        return [id, { createdAt: new Date(createdAt), words: new Set(own) }] as const;
      });
      const restored = new Map(found);
      addMetadata(tx, applicationId, [...restored.keys()]);
      await addWords(tx, applicationId, restored, keys);
    }
  },
  onExpired: async (database, applicationId, before) => {
    const values = [applicationId, "-infinity", before];
    const texts = [...["feedback", "external_evaluation"].map(deleteKept), forgetTraces];
    await database.execute({ applicationId }, monotonicMs() + timeoutMs, [
      ...expireAttachments(applicationId, "-infinity", before),
      ...texts.map((text) => ({ text, values })),
    ]);
  },
};
