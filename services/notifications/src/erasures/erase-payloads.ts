// Erases content that was sent and logged about erased tests (prompts and answers), issues and tasks (events).

import type { Transaction } from "@ems/kit/db/transaction";
import type { ErasedItems } from "@ems/proto/experiments/v1/erasure_work_service";
import { erasedEvent, erasedTypes } from "./erased-event.ts";

/** Finds deliveries of prompts by the ID of their test. */
const deliveries = `
  WITH erased AS (
    UPDATE notifications.delivery d SET payload = '{"erased":true}', leased_until = NULL, next_attempt_at = NULL,
      status = CASE d.status WHEN 'PENDING' THEN 'CANCELLED' ELSE d.status END
    WHERE d.application_id = $1 AND (d.kind = 'PROMPT' AND d.id = ANY ($2::uuid[])
      OR d.kind = 'EVENT' AND d.type = ANY ($4) AND (d.payload::json -> 'data' ->> 'id') = ANY ($3::text[]))
    RETURNING d.id
  ), answers AS (
    UPDATE notifications.attempt a SET response_body = NULL FROM erased
    WHERE a.application_id = $1 AND a.delivery_id = erased.id AND a.response_body IS NOT NULL
  )
  SELECT count(*)::integer AS count FROM erased`;

const outcomes = "DELETE FROM notifications.prompt_outcome WHERE application_id = $1 AND test_id = ANY ($2::uuid[])";

const deadEvents = `DELETE FROM notifications.dead_event WHERE application_id = $1 AND EXISTS (
  SELECT FROM regexp_matches(encode(payload, 'escape'), '([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})', 'g') AS found (groups)
  WHERE found.groups[1]::uuid = ANY ($2::uuid[]))`;

interface LoggedEvent {
  readonly position: string;
  readonly slot: number;
  readonly message: Buffer;
}

const pageMax = 500;
const logged = `SELECT position, slot, message FROM notifications.event_log
  WHERE application_id = $1 AND type = ANY ($2) AND position > $3 ORDER BY position LIMIT ${pageMax}`;
const keep = `UPDATE notifications.event_log SET message = $4 WHERE application_id = $1 AND position = $2 AND slot = $3`;

export async function erasePayloads(
  tx: Transaction,
  { applicationId, testIds, subjectIds }: Pick<ErasedItems, "applicationId" | "testIds" | "subjectIds">,
): Promise<{ deliveries: bigint; events: bigint }> {
  const [found] = await tx.query<{ count: number }>(deliveries, [applicationId, testIds, subjectIds, erasedTypes]);
  await tx.query(outcomes, [applicationId, testIds]);
  await tx.query(deadEvents, [applicationId, [...testIds, ...subjectIds]]);
  const events = subjectIds.length === 0 ? 0 : await eraseLogged(tx, applicationId, new Set(subjectIds));
  return { deliveries: BigInt(found?.count ?? 0), events: BigInt(events) };
}

async function eraseLogged(tx: Transaction, applicationId: string, ids: ReadonlySet<string>): Promise<number> {
  let [count, after] = [0, "0"];
  for (;;) {
    const page = await tx.query<LoggedEvent>(logged, [applicationId, erasedTypes, after]);
    for (const { position, slot, message } of page) {
      after = position;
      const erased = erasedEvent(message, ids);
      if (erased === undefined) continue;
      await tx.query(keep, [applicationId, position, slot, Buffer.from(erased)]);
      count++;
    }
    if (page.length < pageMax) return count;
  }
}
