// Traces and whatever is stored beside them, in one transaction.

import type { Transaction } from "@ems/kit/db/transaction";
import type { Deps } from "../deps.ts";
import type { Owner } from "../execution/index.ts";
import { monthOfTrace, pairsOf } from "../traces/index.ts";
import { addErased } from "./add-erased.ts";
import type { ErasureRow } from "./entity.ts";
import { eraseResults } from "./erase-results.ts";

interface LockedTrace {
  readonly id: string;
  readonly testId: string | null;
  readonly steps: number;
  readonly month: Date;
}

// As ingestion locks them: what comes meanwhile waits, and makes a new trace.
const lock = `SELECT t.id, t.test_id AS "testId", t.steps, ${monthOfTrace} AS month FROM experiments.trace t
  WHERE t.application_id = $1 AND t.id = ANY ($2::uuid[]) ORDER BY t.id FOR UPDATE`;

const ofTraces = "application_id = $1 AND trace_id = ANY ($2::uuid[])";

const statements = [
  `DELETE FROM experiments.trace_metadata m USING (
     SELECT t.id, p.pair FROM experiments.trace t CROSS JOIN LATERAL (${pairsOf("t")}) p
     WHERE t.application_id = $1 AND t.id = ANY ($2::uuid[])) of_trace
   WHERE m.application_id = $1 AND m.pair = of_trace.pair AND m.trace_id = of_trace.id`,
  `DELETE FROM experiments.trace_words WHERE ${ofTraces}`,
  `DELETE FROM experiments.log_message WHERE ${ofTraces}`,
  `DELETE FROM experiments.trace_settling WHERE ${ofTraces}`,
  `DELETE FROM experiments.erasure_trace WHERE ${ofTraces}`,
];
const steps = `DELETE FROM experiments.trace_step s USING unnest($2::uuid[], $3::timestamptz[]) AS erased (id, month)
  WHERE s.application_id = $1 AND s.month = erased.month AND s.trace_id = erased.id`;
const traces = "DELETE FROM experiments.trace WHERE application_id = $1 AND id = ANY ($2::uuid[])";

// Verdicts stay. Nobody is to judge what is not there.
const annotations = `UPDATE experiments.human_annotation SET critique = NULL, queue_item_id = NULL
  WHERE ${ofTraces} RETURNING id`;
const queueItems = `DELETE FROM experiments.human_annotation_queue_item WHERE ${ofTraces}`;

/** Erases the traces, and the texts of what was made of them here. */
export async function eraseTraces(
  deps: Pick<Deps, "clock" | "newId" | "publishAll">,
  tx: Transaction,
  erasure: Owner & Pick<ErasureRow, "id">,
  traceIds: readonly string[],
): Promise<void> {
  const { applicationId } = erasure;
  const locked = await tx.query<LockedTrace>(lock, [applicationId, traceIds]);
  const ids = locked.map(({ id }) => id);
  const testIds = [...new Set(locked.flatMap(({ testId }) => testId ?? []))];
  const annotated = await tx.query<{ id: string }>(annotations, [applicationId, traceIds]);
  const erased = await eraseResults(deps, tx, erasure, {
    ...{ traceIds, testIds, taskIds: [] },
    copies: annotated.map(({ id }) => id),
  });
  tx.defer(queueItems, [applicationId, traceIds]);
  for (const text of statements) tx.defer(text, [applicationId, traceIds]);
  tx.defer(steps, [applicationId, ids, locked.map(({ month }) => month)]);
  tx.defer(traces, [applicationId, ids]);
  await addErased(tx, applicationId, erasure.id, deps.clock.now(), {
    ...erased,
    traces: ids.length,
    steps: locked.reduce((sum, { steps }) => sum + steps, 0),
    humanAnnotations: annotated.length,
  });
}
