// Erases all data in experiments that was derived from traces, in one transaction.

import type { Transaction } from "@ems/kit/db/transaction";
import type { Deps } from "../../deps.ts";
import type { Owner } from "../../runs/execution/index.ts";
import type { FoundTrace } from "../../traces/index.ts";
import { addErased } from "./add-erased.ts";
import type { ErasureRow } from "./entity.ts";
import { eraseResults } from "./erase-results.ts";

const ofTraces = "application_id = $1 AND trace_id = ANY ($2::uuid[])";

const erasureTraces = `DELETE FROM experiments.erasure_trace WHERE ${ofTraces}`;

// Keeps the verdicts. Queue items are removed together with their deleted traces.
const annotations = `UPDATE experiments.human_annotation SET critique = NULL, queue_item_id = NULL
  WHERE ${ofTraces} RETURNING id`;
const queueItems = `DELETE FROM experiments.human_annotation_queue_item WHERE ${ofTraces}`;

/** Erases the texts that experiments derived from traces, and counts the deleted traces. */
export async function eraseTraces(
  deps: Pick<Deps, "clock" | "newId" | "publishAll">,
  tx: Transaction,
  erasure: Owner & Pick<ErasureRow, "id" | "endUserKey">,
  traces: readonly FoundTrace[],
): Promise<void> {
  const { applicationId } = erasure;
  const ids = traces.map(({ id }) => id);
  const testIds = [...new Set(traces.flatMap(({ testId }) => testId ?? []))];
  const annotated = await tx.query<{ id: string }>(annotations, [applicationId, ids]);
  const erased = await eraseResults(deps, tx, erasure, {
    traceIds: ids,
    testIds,
    taskIds: [],
    copies: annotated.map(({ id }) => id),
    keepsDerived: erasure.endUserKey === null,
  });
  tx.defer(queueItems, [applicationId, ids]);
  tx.defer(erasureTraces, [applicationId, ids]);
  await addErased(tx, applicationId, erasure.id, deps.clock.now(), {
    ...erased,
    traces: ids.length,
    steps: traces.reduce((sum, { steps }) => sum + steps, 0),
    humanAnnotations: annotated.length,
  });
}
