// Steps of exported traces, in their order within a trace.

import type { Database } from "@ems/kit/db/database";
import type { ExportedPart } from "@ems/kit/db/export";
import type { Call } from "@ems/kit/rpc/call";
import { exportLineBytesMax } from "@ems/proto/limits";
import {
  type PlacedStep,
  placedColumns,
  type StoredStep,
  stepColumns,
  stepOrder,
  stepsOfTrace,
} from "../traces/index.ts";

export interface ExportedSteps {
  readonly steps: readonly StoredStep[];
  /** Place of the last step, if the trace has further steps. */
  readonly rest?: ExportedPart | undefined;
}

const allText = `SELECT ${stepColumns} FROM unnest($2::uuid[]) AS requested (id)
  CROSS JOIN LATERAL (SELECT * FROM traces.trace t WHERE t.application_id = $1 AND t.id = requested.id LIMIT 1) t
  CROSS JOIN LATERAL (SELECT s.* FROM ${stepsOfTrace}) s ORDER BY ${stepOrder}`;

/** Reads all steps of traces. */
export async function readAllSteps(database: Database, call: Call, ids: readonly string[]): Promise<ExportedSteps> {
  const values = [call.tenant.applicationId, ids];
  return { steps: await database.read<StoredStep>(call, { name: "export-steps", text: allText, values }) };
}

const afterText = `SELECT ${placedColumns}, s.rest::float8 FROM (
    SELECT * FROM traces.trace t WHERE t.application_id = $1 AND t.id = $2) t
  CROSS JOIN LATERAL (
    SELECT s.*, sum(s.size) OVER (ORDER BY ${stepOrder} ROWS UNBOUNDED PRECEDING) - s.size AS before,
      count(*) OVER (ORDER BY ${stepOrder} ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS rest
    FROM ${stepsOfTrace} AND (s."timestamp", s."position") > ($3::timestamptz, $4::int)) s
  WHERE s.before = 0 OR s.before + s.size <= $5 ORDER BY ${stepOrder}`;

const start = { timestamp: "0001-01-01T00:00:00.000Z", position: -1 };

/** Reads the steps of a trace after a place, as many as fit in a line. */
export async function readStepsAfter(
  database: Database,
  call: Call,
  id: string,
  after: ExportedPart | typeof start = start,
): Promise<ExportedSteps> {
  const values = [call.tenant.applicationId, id, after.timestamp, after.position, exportLineBytesMax];
  const steps = await database.read<PlacedStep & { readonly rest: number }>(call, {
    name: "export-steps-after",
    text: afterText,
    values,
  });
  const last = steps.at(-1);
  return { steps, rest: last !== undefined && last.rest > 0 ? last : undefined };
}
