import type { Transaction } from "@ems/kit/db/transaction";
import type { NewId } from "@ems/kit/id";
import type { Tenant } from "@ems/kit/tenant";
import { RunEntity, type RunRow } from "../runs/index.ts";

interface DayRun {
  readonly id: string;
  readonly day: string;
}

// The day by the database's clock. The upsert locks the row, so that only one of several requests creates the run.
const ofToday = `
  INSERT INTO experiments.monitoring_run AS stored (application_id, day, run_id, org_id)
  VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2, $3)
  ON CONFLICT (application_id, day) DO UPDATE SET is_open = stored.is_open
  RETURNING run_id AS id, day::text AS day`;

/** Returns the application's MONITORING run of the current UTC day; the first test of the day creates it. */
export async function monitoringRun(
  tx: Transaction,
  { applicationId, orgId }: Pick<Tenant, "applicationId" | "orgId">,
  now: Date,
  newId: NewId,
): Promise<Pick<RunRow, "id" | "type">> {
  const id = newId();
  const [run] = await tx.query<DayRun>({ name: "monitoring-run", text: ofToday, values: [applicationId, id, orgId] });
  if (run === undefined) throw new Error("the upsert returned no row");
  if (run.id === id) {
    await tx.insert(RunEntity, {
      applicationId,
      id,
      orgId,
      type: "MONITORING",
      status: "IN_PROGRESS",
      title: `Live traffic of ${run.day}`,
      name: `Live traffic of ${run.day}`,
      version: null,
      commit: null,
      notes: null,
      createdAt: now,
      modifiedAt: now,
      experimentVariantId: null,
    });
  }
  return { id: run.id, type: "MONITORING" };
}
