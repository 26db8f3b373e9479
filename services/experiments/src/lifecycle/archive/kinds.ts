// Archived kinds of experiments (services/archive) and their dependent tables.

import type { ArchivedKind, ArchiveOptions } from "@ems/archive";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { deleteInterval, dropEmptied } from "@ems/kit/retention";
import { EvaluationEntity } from "@ems/results";
import { addMonths, TestEntity } from "../../runs/tests/index.ts";
import { monthlyResults } from "../retention/index.ts";

/** A rerun adds evaluations with their test's creation time, so they belong to the same archive batch as the test. */
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
  evict: (...interval) => deleteInterval(monthlyResults, ...interval),
  beforeRestore: async (tx, { to }) => addMonths(tx, [new Date(to - 1)]),
};

export const archivedKinds: readonly ArchivedKind[] = [results];

/** Archive options of experiments. If a database is given, monthly partitions that an eviction emptied are dropped. */
export function archiveOptions(relayDatabase?: RelayDatabase): ArchiveOptions {
  return {
    schema: "experiments",
    kinds: archivedKinds,
    held: "SELECT DISTINCT e.application_id AS id FROM experiments.erasure e WHERE e.status = 'RUNNING'",
    ...(relayDatabase !== undefined && { onEvicted: () => dropEmptied(relayDatabase, monthlyResults) }),
  };
}
