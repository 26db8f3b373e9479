// Stores the latest calibration of each definition, so that lists of definitions and results need not compute it.

import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import { backgroundCall } from "@ems/kit/rpc/call";
import { calibrationDays } from "@ems/proto/limits";
import type { Deps } from "../../deps.ts";
import { readKept } from "./queries.ts";
import { listJudges } from "./read-calibration.ts";

type KeepDeps = Pick<Deps, "database" | "stores" | "clock">;

interface Due {
  readonly applicationId: string;
  readonly orgId: string;
  readonly definitionId: string;
  readonly marks: number;
}

// Interval of measurements; all annotations made within it are measured together.
const everyMs = 2_000;
const timeoutMs = 20_000;
const batchMax = 50;
const dayMs = 86_400_000;

const due = `SELECT application_id AS "applicationId", org_id AS "orgId", definition_id AS "definitionId", marks
  FROM experiments.judge_calibration WHERE marks > measured_marks ORDER BY application_id, definition_id LIMIT ${batchMax}`;

// A mark set during a measurement triggers another one. Of two concurrent measurements, the one that saw more marks is
// stored.
const keep = `UPDATE experiments.judge_calibration SET measured_marks = $3, definition_version = $4, judge_version = $5,
    model = $6, human_passed = $7, human_failed = $8, undecided = $9, sensitivity = $10, specificity = $11, kappa = $12,
    calculated_at = $13
  WHERE application_id = $1 AND definition_id = $2 AND measured_marks < $3`;

/** Starts the loop that measures marked judges. Safe to run in several processes. */
export function startCalibrations(deps: KeepDeps, relay: RelayDatabase, log: Logger): Pick<BackgroundLoop, "stop"> {
  return startLoop({
    name: "calibrations of judges",
    everyMs,
    firstAfterMs: everyMs,
    backoffMaxMs: 12 * everyMs,
    log,
    work: async () => ((await storeCalibrations(deps, relay)) === batchMax ? "more" : "idle"),
  });
}

/** Measures the due definitions and returns their number. A definition that fails does not block the others. */
export async function storeCalibrations(deps: KeepDeps, relay: RelayDatabase): Promise<number> {
  const found = await relay.query<Due>({ name: "calibrations-due", text: due });
  const failures: unknown[] = [];
  for (const dueCalibration of found)
    await measure(deps, dueCalibration).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} calibrations failed`);
  return found.length;
}

async function measure({ database, stores, clock }: KeepDeps, { definitionId, marks, ...owner }: Due): Promise<void> {
  const call = backgroundCall(owner, timeoutMs);
  const now = clock.now();
  const since = new Date(now.getTime() - calibrationDays * dayMs);
  const [agreements, latest] = await readKept(stores, call, definitionId, since);
  const [{ agreement, quality, ...judge }] = listJudges(agreements, latest);
  const { humanPassed, humanFailed, measures } = quality;
  // biome-ignore format: several in a line
  const values = [
    owner.applicationId, definitionId, marks, judge.definitionVersion, judge.judgeVersion, judge.model,
    humanPassed, humanFailed, agreement.undecided, measures?.sensitivity.value ?? null,
    measures?.specificity.value ?? null, measures?.kappa?.value ?? null, now,
  ];
  await database.execute(owner, call.deadlineMs, [{ text: keep, values }]);
}
