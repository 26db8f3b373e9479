// Sends feedback again that an operator asks for (`ems feedback resend`). Whoever asks says so in its row, and waits there
// for what comes of it: so nobody but this service needs the relay's password and the keys that texts are sealed with.

import { type BackgroundLoop, runEvery } from "@ems/kit/background";
import type { Call } from "@ems/kit/rpc/call";
import type pg from "pg";
import type { Deps } from "../deps.ts";
import type { FeedbackRow } from "./entity.ts";
import { mark, sendOnce } from "./send-once.ts";
import { placeOf } from "./unsent.ts";

export interface ResenderDeps
  extends Pick<
    Deps,
    "database" | "publish" | "clock" | "newId" | "secrets" | "users" | "mail" | "feedbackTo" | "feedbackPlaces" | "log"
  > {
  /** As the role that sees every application's feedback. */
  readonly pool: pg.Pool;
}

const lookEveryMs = 1_000;
/** As a request that sends it has. */
const wholeMs = 12_000;

/** Looks from now on, until it is stopped, for feedback that an operator asks for, and sends each once. */
export function startResender(deps: ResenderDeps): BackgroundLoop {
  const work = async () => {
    for (let asked = await claim(deps.pool); asked !== undefined; asked = await claim(deps.pool)) {
      await resend(deps, asked);
    }
  };
  return runEvery("sending feedback again", lookEveryMs, work, deps.log);
}

type Asked = Pick<FeedbackRow, "applicationId" | "id" | "orgId" | "userId" | "text">;

/** Takes one in hand. Nobody waits any more for what was asked for long ago: it is not sent by itself later. */
async function claim(pool: pg.Pool): Promise<Asked | undefined> {
  const { rows } = await pool.query<Asked>({
    name: "claim-feedback",
    text: `UPDATE notifications.feedback AS one SET status = 'SENDING', error = NULL, asked_at = now()
      FROM (SELECT application_id, id FROM notifications.feedback
            WHERE status = 'ASKED' AND asked_at > now() - interval '1 minute'
            ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS asked
      WHERE one.application_id = asked.application_id AND one.id = asked.id
      RETURNING one.application_id AS "applicationId", one.id, one.org_id AS "orgId", one.user_id AS "userId", one.text`,
  });
  return rows[0];
}

async function resend({ secrets, newId, ...deps }: ResenderDeps, asked: Asked): Promise<void> {
  const { applicationId, id, orgId, userId } = asked;
  const call: Call = {
    caller: "notifications",
    requestId: newId(),
    // Deadlines are by the machine's clock.
    deadlineMs: performance.timeOrigin + performance.now() + wholeMs,
    signal: AbortSignal.timeout(wholeMs),
    tenant: { applicationId, orgId, userId: userId ?? "" },
  };
  let text: string;
  try {
    text = secrets.open(asked.text, placeOf(asked));
  } catch (error) {
    deps.log.error({ feedbackId: id, err: error }, "feedback cannot be sent again: its text cannot be opened");
    return mark(deps, call, id, { isSent: false, fault: "OTHER", isPermanent: true });
  }
  await sendOnce(deps, call, id, text);
}
