import type { Statement } from "@ems/kit/db/database";
import { invalidFields } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { RunRow } from "../../runs/runs/index.ts";

/** Row of the `comparedRuns` statement. */
export type ComparedRun = Pick<RunRow, "id" | "createdAt">;

const text = `SELECT r.id, r.created_at AS "createdAt" FROM experiments.run r
  WHERE r.application_id = $1 AND r.id = ANY ($2::uuid[])`;

export function comparedRuns({ tenant }: Call, ids: readonly string[]): Statement {
  return { name: "compared-runs", text, values: [tenant.applicationId, ids] };
}

/**
 * Throws for a run that started before `since`: retention has deleted some of its results, and the remaining ones would
 * look complete.
 */
export function assertKept(
  since: Date | undefined,
  runs: readonly ComparedRun[],
  sides: Readonly<Record<string, string | null>>,
): void {
  if (since === undefined) return;
  const faults = Object.entries(sides)
    .filter(([, id]) => runs.some((run) => run.id === id && run.createdAt < since))
    .map(([side]) => ({
      path: [side],
      message: `Results are kept since ${since.toISOString().slice(0, 10)}, and the run started earlier`,
    }));
  if (faults.length > 0) throw invalidFields(faults);
}
