import type { Transaction } from "@ems/kit/db/transaction";
import { busy } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { FeedbackService } from "@ems/proto/notifications/v1/feedback_service";
import type { Deps } from "../deps.ts";
import { places } from "../secret-box.ts";
import { FeedbackEntity, type FeedbackRow } from "./entity.ts";
import { checkHourlyLimit } from "./limits.ts";
import { sendOnce } from "./send-once.ts";
import { sendingMs } from "./unsent.ts";

type Handler = Handlers<typeof FeedbackService>["sendFeedback"];

/** Stores feedback and mails it to the team at most once; it is not resent if the outcome is unknown. */
export function sendFeedback(deps: Deps): Handler {
  const { database, clock, newId, secrets } = deps;
  return async ({ feedback }, call) => {
    const { applicationId, orgId, userId } = call.tenant;
    const id = newId();
    const row: FeedbackRow = {
      applicationId,
      id,
      orgId,
      userId: userId === "" ? null : userId,
      text: secrets.seal(feedback, places.feedback({ applicationId, id })),
      status: "SENDING",
      error: null,
      createdAt: clock.now(),
      askedAt: null,
      sentAt: null,
    };
    const stored = await database.change(
      call,
      async (tx) => {
        await checkHourlyLimit(tx, applicationId, deps.feedbackPerHourMax, row.createdAt);
        await tx.insert(FeedbackEntity, row);
        return { isNew: true, success: false };
      },
      {
        reference: () => id,
        replay: async (tx, first) => ({ isNew: false, success: await wasSent(deps, tx, call, first) }),
      },
    );
    if (!stored.isNew) return { success: stored.success };

    const { isSent } = await sendOnce(deps, call, id, feedback);
    return { success: isSent };
  };
}

/** Returns the response to a repeated request: whether the mail of the first request was sent. */
async function wasSent({ clock }: Deps, tx: Transaction, call: Call, id: string): Promise<boolean> {
  const { applicationId } = call.tenant;
  const { status, createdAt } = await tx.getOne(FeedbackEntity, { applicationId, id });
  if (status === "SENDING" && clock.now().getTime() - createdAt.getTime() < sendingMs) {
    throw busy("A request with this Idempotency-Key is still running");
  }
  return status === "SENT";
}
