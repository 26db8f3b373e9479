import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { EventHandler } from "@ems/kit/events/bus";
import { isDeadLetter, readMessage } from "@ems/kit/events/message";
import type { DeadLetterRow } from "./entity.ts";

export interface RetryDeps {
  readonly relayDatabase: RelayDatabase;
  /** Handles events as the consumer does; skips events that were already handled. */
  readonly handle: EventHandler["handle"];
}

export type StoredMessage = Pick<DeadLetterRow, "applicationId" | "id" | "subject" | "headers" | "payload">;

export const storedColumns = `application_id AS "applicationId", id, subject, headers, payload`;

/** Retries a dead letter. Returns the reason if it fails; undefined if it was handled and deleted. */
export async function retry({ relayDatabase, handle }: RetryDeps, message: StoredMessage): Promise<string | undefined> {
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
}
