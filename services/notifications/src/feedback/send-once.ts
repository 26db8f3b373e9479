import { type Call, forward } from "@ems/kit/rpc/call";
import { Not } from "typeorm";
import type { Deps } from "../deps.ts";
import { mailAddress } from "../mail/address.ts";
import type { Outcome } from "../mail/mail.ts";
import { feedbackLetter } from "../mail/templates/feedback.ts";
import { FeedbackEntity } from "./entity.ts";

type SendDeps = Pick<
  Deps,
  "database" | "publish" | "clock" | "users" | "mail" | "feedbackTo" | "feedbackPlaces" | "log"
>;

/** Most of the time is for the relay; whom to reply to is not worth more. */
const askMs = 2_000;
/** What comes of a mail that found no place at the relay in time. */
const noPlace: Outcome = { isSent: false, fault: "TIMEOUT", isPermanent: false };
/** What came of it is kept even when the caller has stopped waiting. */
const markMs = 5_000;

/** Sends feedback to the team, once, and keeps what came of it; `id` is its row, which says that it is being sent. */
export async function sendOnce(deps: SendDeps, call: Call, id: string, feedback: string): Promise<Outcome> {
  const { applicationId, orgId, userId } = call.tenant;
  const person = await personBehind(deps, call);
  const letter = feedbackLetter({
    feedbackId: id,
    orgId,
    applicationId,
    userId: userId === "" ? null : userId,
    userName: person?.name,
    feedback,
  });
  const replyTo = mailAddress(person?.email ?? "");
  const send = () => deps.mail.send({ ...letter, to: deps.feedbackTo, replyTo, id });
  const outcome = await deps.feedbackPlaces.run(applicationId, call.signal, send).catch(() => noPlace);
  if (!outcome.isSent) {
    const { fault, smtpCode } = outcome;
    deps.log.error(
      { feedbackId: id, fault, smtpCode },
      "feedback did not go out; it is kept until an operator has it sent again: ems feedback resend",
    );
  }
  await mark(deps, call, id, outcome);
  return outcome;
}

/** Whose key it came by. Feedback goes out without a name when identity does not answer. */
async function personBehind({ users, log }: SendDeps, call: Call) {
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

/** Keeps what came of it, and tells when it went out. What is known to have gone out stays so. */
export async function mark(
  { database, publish, clock }: Pick<SendDeps, "database" | "publish" | "clock">,
  { tenant, deadlineMs }: Call,
  id: string,
  outcome: Outcome,
): Promise<void> {
  const { applicationId, userId } = tenant;
  const row = { applicationId, id, status: Not("SENT" as const) };
  await database.withScope(tenant, deadlineMs + markMs, async (tx) => {
    if (!outcome.isSent) {
      await tx.update(FeedbackEntity, row, { status: "FAILED", error: outcome.fault });
      return;
    }
    const sent = { status: "SENT", error: null, sentAt: clock.now() } as const;
    const affected = await tx.update(FeedbackEntity, row, sent);
    if (affected !== 1) return;
    const value = userId === "" ? { id } : { id, userId };
    await publish(tx, tenant, { case: "feedbackSent", value });
  });
}
