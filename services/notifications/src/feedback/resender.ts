// Resends feedback that an operator requested (`ems feedback resend`) by setting a status in its row. So only this
// service needs the mail relay's password and the sealing keys.

import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import { places } from "../secret-box.ts";
import type { FeedbackRow } from "./entity.ts";
import { sendOnce, storeResult } from "./send-once.ts";

const pollMs = 1_000;
/** Timeout for handling one request. */
const timeoutMs = 12_000;

export function startResender(deps: Deps): BackgroundLoop {
  const { relayDatabase, log } = deps;
  const work = async () => {
    const requested = await claimRequested(relayDatabase);
    if (requested === undefined) return "idle";
    await resend(deps, requested);
    return "more";
  };
  return startLoop({ name: "resending feedback", everyMs: pollMs, firstAfterMs: pollMs, log, work });
}

type Requested = Pick<FeedbackRow, "applicationId" | "id" | "orgId" | "userId" | "text">;

/**
 * Claims the oldest request, at most once. This is not a queue: a request has no lease, and is not repeated if its
 * process dies. Ignores requests older than a minute, because their callers have given up.
 */
export async function claimRequested(relayDatabase: RelayDatabase): Promise<Requested | undefined> {
  const [requested] = await relayDatabase.query<Requested>({
    name: "claim-feedback",
    text: `UPDATE notifications.feedback AS one SET status = 'SENDING', error = NULL, asked_at = now()
      FROM (SELECT application_id, id FROM notifications.feedback
            WHERE status = 'ASKED' AND asked_at > now() - interval '1 minute'
            ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS requested
      WHERE one.application_id = requested.application_id AND one.id = requested.id
      RETURNING one.application_id AS "applicationId", one.id, one.org_id AS "orgId", one.user_id AS "userId", one.text`,
  });
  return requested;
}

async function resend(deps: Deps, requested: Requested): Promise<void> {
  const { applicationId, id, orgId, userId } = requested;
  const call: Call = {
    caller: "notifications",
    requestId: deps.newId(),
    deadlineMs: monotonicMs() + timeoutMs,
    signal: AbortSignal.timeout(timeoutMs),
    tenant: { applicationId, orgId, userId: userId ?? "" },
  };
  let text: string;
  try {
    text = deps.secrets.open(requested.text, places.feedback(requested));
  } catch (error) {
    deps.log.error({ feedbackId: id, err: error }, "feedback cannot be resent: its text cannot be decrypted");
    return storeResult(deps, call, id, { isSent: false, fault: "OTHER", isPermanent: true });
  }
  await sendOnce(deps, call, id, text);
}
