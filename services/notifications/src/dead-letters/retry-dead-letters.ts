import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { ReceivedEvent } from "@ems/kit/events/bus";
import { isDeadLetter, readMessage } from "@ems/kit/events/message";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DeadLetterService } from "@ems/proto/notifications/v1/dead_letter_service";
import type { DeadLetterRow } from "./entity.ts";

type Handler = Handlers<typeof DeadLetterService>["retryDeadLetters"];

export interface RetryDeps {
  readonly relayDatabase: RelayDatabase;
  /** Handles events as the consumer does; those that were handled before are skipped. */
  readonly handle: (events: readonly ReceivedEvent[]) => Promise<void>;
}

type StoredMessage = Pick<DeadLetterRow, "applicationId" | "id" | "subject" | "headers" | "payload">;

/** Handles the named dead letters again, or all, the oldest first; what fails again stays. */
export function retryDeadLetters({ relayDatabase, handle }: RetryDeps): Handler {
  /** The reason why the message cannot be handled; undefined when it was. */
  const retry = async (message: StoredMessage): Promise<string | undefined> => {
    const read = readMessage(message);
    if (isDeadLetter(read)) return read.reason;
    try {
      await handle([read]);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    await relayDatabase.change({
      text: "DELETE FROM notifications.dead_event WHERE application_id = $1 AND id = $2",
      values: [message.applicationId, message.id],
    });
    return undefined;
  };
  return async ({ ids }) => {
    const rows = await relayDatabase.query<StoredMessage>({
      text: `SELECT application_id AS "applicationId", id, subject, headers, payload FROM notifications.dead_event
       WHERE $1::text[] IS NULL OR id::text = ANY ($1) ORDER BY buried_at, id`,
      values: [ids.length > 0 ? ids : null],
    });
    const handledIds: string[] = [];
    const failures: { id: string; reason: string }[] = [];
    for (const row of rows) {
      const reason = await retry(row);
      if (reason === undefined) handledIds.push(row.id);
      else failures.push({ id: row.id, reason });
    }
    return { handledIds, failures };
  };
}
