// During an upgrade, newer services may publish events that the previous version of notifications cannot read, and
// stores as dead letters. The new version handles these automatically, so that no order of upgrades loses an event.

import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { EventHandler } from "@ems/kit/events/bus";
import { eventTypes } from "@ems/kit/events/event-type";
import { contentTypeHeader, protobufType, typeHeader, unknownType } from "@ems/kit/events/message";
import type { Logger } from "@ems/kit/log";
import { retry, type StoredMessage, storedColumns } from "./retry.ts";

export interface HandleNewerDeps {
  readonly relayDatabase: RelayDatabase;
  readonly handler: Pick<EventHandler, "handle" | "ready">;
  readonly log: Logger;
}

/** Reasons that JSON-only versions recorded for binary messages; later versions do not record these reasons. */
const jsonReasons = ["not UTF-8", "not JSON"];
const batchMax = 100;

const newer = `SELECT ${storedColumns} FROM notifications.dead_event
  WHERE (reason = ANY ($1) AND headers -> '${contentTypeHeader}' ->> 0 = '${protobufType}')
    OR (reason = '${unknownType}' AND headers -> '${typeHeader}' ->> 0 = ANY ($2))
  ORDER BY buried_at, id LIMIT ${batchMax}`;

/** Changes the reason by deleting and inserting the row, because the relay role may not update rows. */
const changeReason = `WITH gone AS (DELETE FROM notifications.dead_event WHERE application_id = $1 AND id = $2 RETURNING *)
  INSERT INTO notifications.dead_event (application_id, id, subject, headers, payload, reason, buried_at)
  SELECT application_id, id, subject, headers, payload, $3, buried_at FROM gone`;

/** Handles dead letters that this version can read and an older version could not; returns their number. */
export async function handleNewer({ relayDatabase, handler, log }: HandleNewerDeps): Promise<number> {
  const values = [jsonReasons, eventTypes.map(({ type }) => type)];
  const next = () => relayDatabase.query<StoredMessage>({ text: newer, values });
  let handled = 0;
  for (let messages = await next(); messages.length > 0; messages = await next()) {
    for (const message of messages) {
      const { applicationId, id } = message;
      const reason = await retry({ relayDatabase, handle: handler.handle }, message);
      if (reason === undefined) handled++;
      else {
        await handler.ready();
        // With its new reason, the dead letter is not handled here a second time; an operator has to look at it.
        await relayDatabase.change({ text: changeReason, values: [applicationId, id, `not handled: ${reason}`] });
        log.error({ applicationId, event: id, reason }, "a dead letter of the previous version cannot be handled");
      }
    }
  }
  if (handled > 0) log.info({ events: handled }, "events that the previous version could not read were handled");
  return handled;
}
