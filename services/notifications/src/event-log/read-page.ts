// Reads a page of an application's log in one statement, whose snapshot has no gaps between positions.

import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import { failure } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { ReadEventsRequest } from "@ems/proto/notifications/v1/event_log_service";
import { WatchStart } from "@ems/proto/notifications/v1/event_service";

/** Limits of a page: event types, number of events, bytes. */
export type PageLimits = Pick<ReadEventsRequest, "types" | "limit" | "bytes">;

export interface ReadPageDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export interface Page {
  readonly events: { readonly position: bigint; readonly message: Uint8Array }[];
  /** Last position read. */
  readonly position: bigint;
}

/** Number of partitions in the ring, as created by the migration. */
const slotCount = 16;
const dayMs = 24 * 60 * 60_000;

/** Maximum number of events of other types that are skipped per page, so that a page of rare events costs no more. */
const passedOverMax = 1_000;

/**
 * Reads from the given or all partitions. PostgreSQL knows the size of a message without reading it, so messages beyond
 * the page are not read. The range has no more positions than are read, whatever the planner estimates.
 */
const pageText = (slots?: readonly number[]) => `
  SELECT p.position AS head, e.position, e.message
  FROM (SELECT coalesce((SELECT position FROM notifications.event_position WHERE application_id = $1), 0) AS position) p
  LEFT JOIN LATERAL (
    SELECT position, CASE WHEN is_wanted THEN message END AS message
    FROM (
      SELECT position, message, is_wanted,
        count(*) FILTER (WHERE is_wanted) OVER earlier AS events,
        coalesce(sum(octet_length(message)) FILTER (WHERE is_wanted) OVER earlier, 0) AS bytes
      FROM (
        SELECT position, message, $3::text[] IS NULL OR type = ANY ($3) AS is_wanted
        FROM notifications.event_log
        WHERE application_id = $1 AND position > $2 AND position <= $2::bigint + $4::integer AND p.position > $2
          ${slots === undefined ? "" : `AND slot IN (${slots})`}
        ORDER BY position LIMIT $4) scanned
      WINDOW earlier AS (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) counted
    WHERE events < $5 AND bytes < $6) e ON true
  ORDER BY e.position`;

interface PageRow {
  readonly head: string;
  readonly position: string | null;
  readonly message: Buffer | null;
}

/**
 * Reads a page. Throws OUT_OF_RANGE if events after the position are missing. First tries only the last two days,
 * because planning a read of all partitions takes ten times as long as the read itself.
 */
export async function readPage(
  { database, clock }: ReadPageDeps,
  call: Call,
  after: bigint,
  limits: PageLimits,
): Promise<Page> {
  const today = Math.floor(clock.now().getTime() / dayMs);
  const slots = [today - 1, today].map((day) => day % slotCount);
  const read = (slots?: readonly number[]) => readSlots(database, call, after, limits, slots);
  const recent = await read(slots);
  const page = recent.position === after && recent.head !== after ? await read() : recent;
  // Also happens if the position is beyond the last one, because the database was restored to an earlier state.
  if (page.position === after && page.head !== after) {
    throw failure(
      "RESUME_TOKEN_EXPIRED",
      "Events after the resume token have been deleted; start from the earliest or next event",
    );
  }
  return page;
}

async function readSlots(
  database: Database,
  call: Call,
  after: bigint,
  { types, limit, bytes }: PageLimits,
  slots?: readonly number[],
): Promise<Page & { readonly head: bigint }> {
  const isFiltered = types.length > 0;
  const scanned = isFiltered ? Math.max(limit, passedOverMax) : limit;
  const rows = await database.read<PageRow>(call, {
    name: slots === undefined ? "read-event-log" : `read-event-log-${slots.join("-")}`,
    text: pageText(slots),
    values: [call.tenant.applicationId, String(after), isFiltered ? types : null, scanned, limit, bytes],
  });
  const events: Page["events"] = [];
  let position = after;
  for (const row of rows) {
    if (row.position === null) break;
    // Stops at a gap: the events before it were deleted because of their age.
    if (BigInt(row.position) !== position + 1n) break;
    position += 1n;
    if (row.message !== null) events.push({ position, message: row.message });
  }
  return { events, position, head: BigInt(rows[0]?.head ?? 0) };
}

/** Reads the partitions of the last two weeks, except for the last day, which is deleted at midnight. */
const earliestText = `
  SELECT coalesce(
    (SELECT position - 1 FROM notifications.event_log
     WHERE application_id = $1 AND recorded_at > now() - interval '15 days' AND slot = ANY (ARRAY(
       SELECT notifications.event_slot(now() - ago * interval '1 day') FROM generate_series(0, 13) ago))
     ORDER BY position LIMIT 1),
    (SELECT position FROM notifications.event_position WHERE application_id = $1), 0) AS position`;

const headText = `
  SELECT coalesce((SELECT position FROM notifications.event_position WHERE application_id = $1), 0) AS position`;

/** Returns the position before the first event, for a reader that has no resume token. */
export async function startPosition(database: Database, call: Call, start: WatchStart): Promise<bigint> {
  const isEarliest = start === WatchStart.EARLIEST;
  const [row] = await database.read<{ position: string }>(call, {
    name: isEarliest ? "earliest-position" : "last-position",
    text: isEarliest ? earliestText : headText,
    values: [call.tenant.applicationId],
  });
  return BigInt(row?.position ?? 0);
}
