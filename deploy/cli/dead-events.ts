import { systemClock } from "@ems/kit/clock";
import { relayPool } from "@ems/kit/db/relay-pool";
import { isDead, readMessage } from "@ems/kit/events/message";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { deliveries } from "@ems/notifications/deliveries/event-handler";
import { schedule } from "@ems/notifications/deliveries/worker/schedule";
import { inbox } from "@ems/notifications/events/inbox";
import { mailTaker } from "@ems/notifications/mail/event-handler";

export interface DeadEvent {
  readonly applicationId: string;
  readonly id: string;
  readonly subject: string;
  readonly reason: string;
  readonly buriedAt: Date;
}

interface StoredMessage extends DeadEvent {
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly payload: Buffer;
}

const columns = `application_id AS "applicationId", id, subject, reason, buried_at AS "buriedAt"`;

/** Dead events, and the consumer of notifications to take them in with; the worker of a running product sends what it makes. */
export function openDeadEvents(relayUrl: string) {
  const log = createLog("ems", "error");
  const pool = relayPool({ url: relayUrl, poolMax: 1, log });
  const clock = systemClock;
  const takers = [deliveries({ clock, scheduleSteps: schedule.length }), mailTaker(clock)];
  const consumer = inbox({ pool, clock, newId, log, takers, onTaken: () => undefined });

  /** Takes one in; answers why not, when it cannot be. An event that was taken in meanwhile is so already. */
  const redeliver = async (message: StoredMessage): Promise<string | undefined> => {
    const read = readMessage(message);
    if (isDead(read)) return read.reason;
    try {
      await consumer.handle([read]);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    const key = [message.applicationId, message.id];
    await pool.query("DELETE FROM notifications.dead_event WHERE application_id = $1 AND id = $2", key);
    return undefined;
  };

  return {
    async list(limit: number): Promise<DeadEvent[]> {
      const sql = `SELECT ${columns} FROM notifications.dead_event ORDER BY buried_at DESC, id LIMIT $1`;
      return (await pool.query<DeadEvent>(sql, [limit])).rows;
    },
    /** Takes in the named ones, or all, oldest first. */
    async retry(ids: readonly string[] | undefined) {
      const { rows } = await pool.query<StoredMessage>(
        `SELECT ${columns}, headers, payload FROM notifications.dead_event
         WHERE $1::text[] IS NULL OR id::text = ANY ($1) ORDER BY buried_at, id`,
        [ids ?? null],
      );
      const taken: string[] = [];
      const left: { id: string; reason: string }[] = [];
      for (const row of rows) {
        const reason = await redeliver(row);
        if (reason === undefined) taken.push(row.id);
        else left.push({ id: row.id, reason });
      }
      return { taken, left };
    },
    close: () => pool.end(),
  };
}
