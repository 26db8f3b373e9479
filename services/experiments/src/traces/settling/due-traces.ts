// Traces that are due to settle: claimed by any process, and deleted by the transaction that settles them.

import { defineQueue } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";

export interface DueTrace {
  readonly applicationId: string;
  readonly orgId: string;
  readonly traceId: string;
  /** Null for live traffic. */
  readonly testId: string | null;
}

const rowsMax = 100;
/** A process that dies leaves its traces to the others after this time; a trace that fails is tried again. */
const leaseMs = 30_000;

export const settlingQueue = defineQueue<Omit<DueTrace, "applicationId" | "traceId"> & { dueAt: Date }, "traceId">({
  name: "experiments.trace_completion",
  table: "experiments.trace_settling",
  key: { traceId: "uuid" },
  due: "due_at",
  lease: "leased_until",
  since: "due_at",
  columns: ["orgId", "testId", "dueAt"],
  fairness: "applications",
});

/** Claims the traces that are due longest of each application, oldest first. */
export async function claimTraces(relayDatabase: RelayDatabase): Promise<DueTrace[][]> {
  const due = await settlingQueue.on(relayDatabase).claim({ rowsMax, leaseMs });
  due.sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.traceId < b.traceId ? -1 : 1));
  return [...Map.groupBy(due, ({ applicationId }) => applicationId).values()];
}
