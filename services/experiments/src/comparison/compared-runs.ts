import type { Stores } from "@ems/kit/archive";
import type { Statement } from "@ems/kit/db/database";
import { invalidFields } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { RunRow } from "../runs/index.ts";

/** A row of `comparedRuns`. */
export type ComparedRun = Pick<RunRow, "id" | "createdAt">;

const text = `SELECT r.id, r.created_at AS "createdAt" FROM experiments.run r
  WHERE r.application_id = $1 AND r.id = ANY ($2::uuid[])`;

export function comparedRuns({ tenant }: Call, ids: readonly string[]): Statement {
  return { name: "compared-runs", text, values: [tenant.applicationId, ids] };
}

/** A run that began before `since` lost results to retention: what is left of it would be taken for all of it. */
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
      message: `Results are kept since ${since.toISOString().slice(0, 10)}, and the run began before`,
    }));
  if (faults.length > 0) throw invalidFields(faults);
}

// The sums of runs know all tests.
const incomplete = `SELECT s.run_id AS id FROM experiments.run_stat s
  WHERE s.application_id = $1 AND s.run_id = ANY ($2::uuid[])
    AND s.tests > (SELECT count(*) FROM experiments.test t WHERE t.application_id = $1 AND t.run_id = s.run_id)`;

/** As `assertKept`, of tests that were dropped. */
export async function assertNotDropped(
  { database, hasArchive }: Stores,
  call: Call,
  sides: Readonly<Record<string, string | null>>,
): Promise<void> {
  if (!hasArchive) return;
  const ids = Object.values(sides).filter((id) => id !== null);
  const statement = { name: "incomplete-runs", text: incomplete, values: [call.tenant.applicationId, ids] };
  const runs = await database.read<{ id: string }>(call, statement);
  const faults = Object.entries(sides)
    .filter(([, id]) => runs.some((run) => run.id === id))
    .map(([side]) => ({
      path: [side],
      message: "Results of the run are in the archive alone; `ems archive restore` brings them back",
    }));
  if (faults.length > 0) throw invalidFields(faults);
}
