import type { Transaction } from "@ems/kit/db/transaction";
import type { PublishAll } from "@ems/kit/events/publish";
import { followRuns } from "../../experiments/experiments/index.ts";
import { noResults } from "../outcomes/index.ts";
import { RunEntity, type RunRow, type RunStat, runStats, runSums } from "../runs/index.ts";
import type { Owner } from "./entity.ts";
import { runCompleted } from "./events.ts";

// One completed test is enough to prove that not all tests failed.
const completed = `SELECT r.id FROM unnest($2::uuid[]) r (id) WHERE EXISTS (SELECT FROM experiments.test t
  WHERE t.application_id = $1 AND t.run_id = r.id AND t.status = 'COMPLETED')`;

/**
 * Updates locked runs to the status that follows from their tests. Uses `tx.defer`, except for runs whose last test
 * ended. MONITORING runs stay open until their day is over.
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
  const endedRuns = over.length === 0 ? [] : await ended(tx, applicationId, over, stats);
  const reopened = candidates
    .filter(({ id, status }) => status !== "IN_PROGRESS" && !over.some((run) => run.id === id))
    .map((run): RunRow => ({ ...run, status: "IN_PROGRESS" }));
  const changed = [...endedRuns, ...reopened];
  for (const { id, status } of changed) tx.deferUpdate(RunEntity, { applicationId, id }, { status, modifiedAt: now });
  await followRuns(tx, applicationId, now, changed);
  await publishAll(
    tx,
    tenant,
    endedRuns.map((run) => {
      const stat = stats.get(run.id);
      return runCompleted({ ...run, modifiedAt: now }, stat === undefined ? noResults : runSums(stat));
    }),
  );
}

/** Returns the runs with the status in which they end. */
async function ended(
  tx: Transaction,
  applicationId: string,
  runs: readonly RunRow[],
  stats: ReadonlyMap<string, RunStat>,
): Promise<RunRow[]> {
  const values = [applicationId, runs.map(({ id }) => id)];
  const rows = await tx.query<{ id: string }>({ name: "completed-runs", text: completed, values });
  const hasCompleted = new Set(rows.map(({ id }) => id));
  return runs.map((run) => {
    const { passed = 0, scoreRows = 0 } = stats.get(run.id) ?? {};
    // The sums also cover archived tests and tests past their retention.
    const isCompleted = hasCompleted.has(run.id) || passed + scoreRows > 0;
    return { ...run, status: run.type === "MONITORING" || isCompleted ? "COMPLETED" : "FAILED" };
  });
}
