import type { Transaction } from "@ems/kit/db/transaction";
import type { Fact } from "@ems/kit/events/content";
import type { PublishAll } from "@ems/kit/events/publish";
import {
  type RunDefinition,
  RunEntity,
  type RunRow,
  type RunStat,
  runDefinitions,
  runStats,
  scoresOf,
} from "../runs/index.ts";
import type { Owner } from "./entity.ts";
import { runCompleted } from "./events.ts";

// The first test that did not fail says that not all did.
const completed = `SELECT r.id FROM unnest($2::uuid[]) r (id) WHERE EXISTS (SELECT FROM experiments.test t
  WHERE t.application_id = $1 AND t.run_id = r.id AND t.status = 'COMPLETED')`;

/**
 * Gives locked runs the status that follows from their tests: deferred, but for runs whose last test has ended. A run of
 * MONITORING is open until its day is over.
 */
export async function endRuns(
  { publishAll }: { readonly publishAll: PublishAll },
  tx: Transaction,
  tenant: Owner,
  now: Date,
  runs: readonly RunRow[],
  { isDayOver = false } = {},
): Promise<void> {
  const candidates = runs.filter(({ type }) => type !== "MONITORING" || isDayOver);
  if (candidates.length === 0) return;
  const { applicationId } = tenant;
  const values = [applicationId, candidates.map(({ id }) => id)];
  const stats = new Map((await tx.query<RunStat>({ ...runStats, values })).map((stat) => [stat.runId, stat]));
  const isOver = ({ id }: RunRow) => isDayOver || (stats.get(id)?.ended ?? 0) >= (stats.get(id)?.tests ?? 0);
  const over = candidates.filter(isOver);
  const facts = over.length === 0 ? [] : await ended(tx, applicationId, over, stats, now);
  for (const { id, status } of candidates) {
    if (status === "IN_PROGRESS" || over.some((run) => run.id === id)) continue;
    tx.deferUpdate(RunEntity, { applicationId, id }, { status: "IN_PROGRESS", modifiedAt: now });
  }
  await publishAll(tx, tenant, facts);
}

/** Ends the runs; answers what to publish. */
async function ended(
  tx: Transaction,
  applicationId: string,
  runs: readonly RunRow[],
  stats: ReadonlyMap<string, RunStat>,
  now: Date,
): Promise<Fact[]> {
  const values = [applicationId, runs.map(({ id }) => id)];
  const [definitions, rows] = await Promise.all([
    tx.query<RunDefinition>({ ...runDefinitions, values }),
    tx.query<{ id: string }>({ name: "completed-runs", text: completed, values }),
  ]);
  const definitionsOf = Map.groupBy(definitions, ({ runId }) => runId);
  const hasCompleted = new Set(rows.map(({ id }) => id));
  return runs.map((run) => {
    const status = run.type === "MONITORING" || hasCompleted.has(run.id) ? "COMPLETED" : "FAILED";
    tx.deferUpdate(RunEntity, { applicationId, id: run.id }, { status, modifiedAt: now });
    const stat = stats.get(run.id);
    const sums = stat && { ...stat, ...scoresOf(stat, definitionsOf.get(run.id) ?? []) };
    return runCompleted({ ...run, status, modifiedAt: now }, sums);
  });
}
