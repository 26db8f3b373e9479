// What of experiments moves to the archive (kit's DECISION-archive.md).

import type { ArchivedKind, ArchiveKind, CarrierOptions } from "@ems/kit/archive";
import { EvaluationEntity } from "../evaluations/index.ts";
import { TestEntity } from "../tests/index.ts";
import { TraceEntity, TraceStepEntity } from "../traces/index.ts";

/** A rerun writes evaluations beside older ones, with their test's time. */
const results: ArchivedKind = {
  kind: "results",
  root: "experiments.test",
  busy: `r.status NOT IN ('COMPLETED', 'FAILED') OR coalesce(r.modified_at, r.created_at) >= $4
    OR EXISTS (SELECT FROM experiments.evaluation e WHERE e.application_id = r.application_id AND e.test_id = r.id
      AND e.created_at = r.created_at
      AND (e.status IN ('PENDING', 'IN_PROGRESS') OR coalesce(e.modified_at, e.created_at) >= $4))`,
  tables: [
    { entity: TestEntity, order: ["id"], lookups: ["id", "run_id", "task_id"] },
    { entity: EvaluationEntity, order: ["id"], lookups: ["id", "test_id", "run_id"] },
  ],
};

/** Keys of words are not below zero; other numbers there mark days. In order, as common ones beside each other take less space. */
const words = `(SELECT '[' || coalesce(string_agg(key::text, ',' ORDER BY key), '') || ']'
  FROM experiments.trace_words w, unnest(w.words) key
  WHERE w.application_id = r.application_id AND w.trace_id = r.id AND w.created_at = r.created_at AND key >= 0)`;

/** Of traces and steps, which are looked up here and there in a page of a list. */
const granularity = 1_024;

const traces: ArchivedKind = {
  kind: "traces",
  root: "experiments.trace",
  busy: `r.modified_at >= $4
    OR EXISTS (SELECT FROM experiments.trace_settling s WHERE s.application_id = r.application_id AND s.trace_id = r.id)
    OR r.id IN (SELECT unnest(j.trace_ids) FROM experiments.search_job j WHERE j.application_id = $1)`,
  returned: "SELECT d.id FROM experiments.dropped_trace d WHERE d.application_id = $1 AND d.came_again",
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
      rows: `experiments.trace t JOIN experiments.trace_step r
        ON r.application_id = t.application_id AND r.trace_id = t.id AND r.month = date_trunc('month', t.created_at, 'UTC')
        WHERE t.application_id = $1 AND t.created_at >= $2 AND t.created_at < $3
          AND r.month = date_trunc('month', $3 - interval '1 ms', 'UTC')`,
      order: ["trace_id", "timestamp", "position"],
      lookups: ["trace_id"],
      granularity,
    },
  ],
};

export const experimentsArchive: readonly ArchivedKind[] = [results, traces];

export const archiveOptions: CarrierOptions = { schema: "experiments", kinds: experimentsArchive };

export function tablesOf(kind: ArchiveKind): ArchivedKind["tables"] {
  return kind === "results" ? results.tables : traces.tables;
}
