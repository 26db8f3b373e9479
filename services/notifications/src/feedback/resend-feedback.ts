import { setTimeout as delay } from "node:timers/promises";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Handlers } from "@ems/kit/rpc/service";
import { type FeedbackAdminService, ResendOutcome } from "@ems/proto/notifications/v1/feedback_admin_service";
import type { FeedbackRow } from "./entity.ts";
import { unsent } from "./unsent.ts";

type Handler = Handlers<typeof FeedbackAdminService>["resendFeedback"];

export interface ResendDeps {
  readonly relayDatabase: RelayDatabase;
  /** Signal that is aborted when the process stops: waiting ends, and unclaimed requests are withdrawn. */
  readonly stopping: AbortSignal;
}

/** IDs of the application and the feedback. */
type Key = readonly [string, string];

const pollMs = 200;
/** Maximum time before a request is claimed; the resender polls every second. */
const takeUpMs = 30_000;
/** Maximum wait for the outcome, slightly longer than sending may take. */
const waitMsMax = 60_000;

/** Requests a resend and waits for its outcome; the resender of the running product sends the mail. */
export function resendFeedback({ relayDatabase, stopping }: ResendDeps): Handler {
  return async ({ id }, call) => {
    const key = await request(relayDatabase, id);
    if (key === undefined) return { outcome: await notRequestedReason(relayDatabase, id) };
    const stopped = AbortSignal.any([stopping, call.signal]);
    const startMs = performance.now();
    for (;;) {
      const row = await readState(relayDatabase, key);
      if (row?.status === "SENT") return { outcome: ResendOutcome.SENT };
      if (row?.status === "FAILED") return { outcome: ResendOutcome.FAILED, reason: row.error ?? "" };
      const waitedMs = performance.now() - startMs;
      if (row?.status === "ASKED" && (waitedMs > takeUpMs || stopped.aborted) && (await withdraw(relayDatabase, key))) {
        return { outcome: ResendOutcome.NOT_TAKEN_UP, reason: "NOT_TAKEN_UP" };
      }
      if (waitedMs > waitMsMax || stopped.aborted) return { outcome: ResendOutcome.FAILED, reason: "IN_DOUBT" };
      await delay(pollMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  };
}

/** Marks the row as requested; undefined if the feedback is not unsent. */
async function request(relayDatabase: RelayDatabase, id: string): Promise<Key | undefined> {
  const [row] = await relayDatabase.query<Pick<FeedbackRow, "applicationId" | "id">>({
    text: `UPDATE notifications.feedback SET status = 'ASKED', asked_at = now(), error = coalesce(error, 'IN_DOUBT')
     WHERE id::text = $1 AND ${unsent} RETURNING application_id AS "applicationId", id`,
    values: [id],
  });
  return row && [row.applicationId, row.id];
}

async function notRequestedReason(relayDatabase: RelayDatabase, id: string): Promise<ResendOutcome> {
  const text = "SELECT status FROM notifications.feedback WHERE id::text = $1";
  const [row] = await relayDatabase.query<Pick<FeedbackRow, "status">>({ text, values: [id] });
  if (row === undefined) return ResendOutcome.NOT_FOUND;
  return row.status === "SENT" ? ResendOutcome.ALREADY_SENT : ResendOutcome.BUSY;
}

async function readState(relayDatabase: RelayDatabase, key: Key) {
  const text = "SELECT status, error FROM notifications.feedback WHERE application_id = $1 AND id = $2";
  const [row] = await relayDatabase.query<Pick<FeedbackRow, "status" | "error">>({ text, values: key });
  return row;
}

/** Withdraws the request; returns false if it was already claimed. */
async function withdraw(relayDatabase: RelayDatabase, key: Key): Promise<boolean> {
  const changed = await relayDatabase.change({
    text: `UPDATE notifications.feedback SET status = 'FAILED'
     WHERE application_id = $1 AND id = $2 AND status = 'ASKED'`,
    values: key,
  });
  return changed === 1;
}
