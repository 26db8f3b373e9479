// Traces that came again after they were dropped: their batch is restored, which makes one trace of both parts.

import type { Source } from "@ems/kit/archive";
import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import type { DropDeps } from "./drop.ts";
import { restoreBatch } from "./restore.ts";

const everyMs = 60_000;
const batchesMax = 20;

/** Also after a backup was restored, which has no triggers. */
const watch = `SELECT experiments.watch_dropped()
  WHERE EXISTS (SELECT FROM experiments.archive_batch WHERE kind = 'traces' AND state = 'dropped')`;
const returned = `SELECT DISTINCT b.application_id AS "applicationId", b.number
  FROM experiments.dropped_trace d JOIN experiments.archive_batch b ON b.application_id = d.application_id
    AND b.kind = 'traces' AND b.state = 'dropped' AND b.starts <= d.created_at AND b.ends > d.created_at
  WHERE d.came_again AND b.ends > experiments.kept_since(b.kind) LIMIT ${batchesMax}`;

export function startMerging({
  source,
  ...deps
}: Omit<DropDeps, "source"> & { readonly source: Source | undefined }): Pick<BackgroundLoop, "stop"> {
  if (source === undefined) return { stop: async () => undefined };
  const work = async (signal: AbortSignal) =>
    (await mergeReturned({ ...deps, source }, signal)) < batchesMax ? "idle" : "more";
  return startLoop({ name: "merging of traces that came again", everyMs, log: deps.log, work });
}

/** Answers how many batches have come back; rejects at the end when one could not. */
export async function mergeReturned(deps: DropDeps, signal: AbortSignal): Promise<number> {
  await deps.relayDatabase.query({ text: watch });
  const batches = await deps.relayDatabase.query<{ applicationId: string; number: number }>({ text: returned });
  const failures: unknown[] = [];
  for (const { applicationId, number } of batches) {
    signal.throwIfAborted();
    const owner = { applicationId, orgId: "" };
    await restoreBatch(deps, owner, "traces", number).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return batches.length;
}
