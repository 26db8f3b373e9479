import { busy } from "@ems/kit/errors";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { FeedbackService } from "@ems/proto/notifications/v1/feedback_service";
import type { EntityManager } from "typeorm";
import type { Deps } from "../deps.ts";
import { FeedbackEntity, type FeedbackRow } from "../entities/feedback.ts";
import { mailAddress } from "../mail/address.ts";
import type { Outcome } from "../mail/mail.ts";
import { feedbackLetter } from "../mail/templates/feedback.ts";

type Handler = Handlers<typeof FeedbackService>["sendFeedback"];

/** Past this nobody is sending it any more: the deadline of the request, and a little. */
const sendingMs = 15_000;
/** Most of the time is for the relay; whom to reply to is not worth more. */
const askMs = 2_000;
/** What came of it is kept even when the caller has stopped waiting. */
const markMs = 5_000;

/** Keeps what somebody says and sends it to the team, once. Where it ends in doubt, it is not sent again. */
export function sendFeedback(deps: Deps): Handler {
  const { database, clock, newId, secrets, mail, feedbackTo, log } = deps;
  return async ({ feedback }, call) => {
    const { applicationId, orgId, userId } = call.tenant;
    const id = newId();
    const row: FeedbackRow = {
      applicationId,
      id,
      orgId,
      userId: userId === "" ? null : userId,
      text: secrets.seal(feedback, `${applicationId}/feedback/${id}`),
      status: "SENDING",
      error: null,
      createdAt: clock.now(),
      sentAt: null,
    };
    const taken = await database.change(
      call,
      async (manager) => {
        await manager.insert(FeedbackEntity, row);
        return { isNew: true, success: false };
      },
      {
        note: () => id,
        again: async (manager, first) => ({ isNew: false, success: await hasGoneOut(deps, manager, call, first) }),
      },
    );
    if (!taken.isNew) return { success: taken.success };

    const person = await personBehind(deps, call);
    const letter = feedbackLetter({ ...row, feedbackId: id, userName: person?.name, feedback });
    const replyTo = mailAddress(person?.email ?? "");
    const outcome = await mail.send({ ...letter, to: feedbackTo, replyTo, id });
    if (!outcome.isSent) {
      const { fault, smtpCode } = outcome;
      log.error(
        { feedbackId: id, fault, smtpCode },
        "feedback did not go out; it is kept, and nothing sends it by itself",
      );
    }
    await mark(deps, call, id, outcome);
    return { success: outcome.isSent };
  };
}

/** What a repeat is told: whether the first one went out. */
async function hasGoneOut({ clock }: Deps, manager: EntityManager, call: Call, id: string): Promise<boolean> {
  const { applicationId } = call.tenant;
  const { status, createdAt } = await manager.findOneByOrFail(FeedbackEntity, { applicationId, id });
  if (status === "SENDING" && clock.now().getTime() - createdAt.getTime() < sendingMs) {
    throw busy("A request with this Idempotency-Key is still running");
  }
  return status === "SENT";
}

/** Whose key it came by. Feedback goes out without a name when identity does not answer. */
async function personBehind({ users, log }: Deps, call: Call) {
  const { userId } = call.tenant;
  if (userId === "") return undefined;
  const { timeoutMs, ...options } = forward(call);
  try {
    const answer = await users.batchGetUsers({ ids: [userId] }, { ...options, timeoutMs: Math.min(timeoutMs, askMs) });
    return answer.users.find((user) => user.id === userId);
  } catch (error) {
    log.warn({ err: error }, "feedback goes out without an address to reply to: identity did not answer");
    return undefined;
  }
}

/** Keeps what came of it, and tells when it went out. */
async function mark({ database, publish, clock }: Deps, call: Call, id: string, outcome: Outcome): Promise<void> {
  const { tenant, deadlineMs } = call;
  const { applicationId, userId } = tenant;
  await database.withScope(tenant, deadlineMs + markMs, async (manager) => {
    if (!outcome.isSent) {
      await manager.update(FeedbackEntity, { applicationId, id }, { status: "FAILED", error: outcome.fault });
      return;
    }
    await manager.update(FeedbackEntity, { applicationId, id }, { status: "SENT", sentAt: clock.now() });
    const value = userId === "" ? { id } : { id, userId };
    await publish(manager, tenant, { case: "feedbackSent", value });
  });
}
