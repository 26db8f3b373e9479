import { type Call, forward } from "@ems/kit/rpc/call";
import { Not } from "typeorm";
import type { Deps } from "../deps.ts";
import { feedbackMail, mailAddress, type SendResult } from "../mail/index.ts";
import { FeedbackEntity } from "./entity.ts";

type SendDeps = Pick<
  Deps,
  "database" | "publish" | "clock" | "users" | "mail" | "feedbackTo" | "feedbackLimiter" | "log"
>;

/** Timeout for identity: most of the time is for the mail relay, and the reply address is optional. */
const identityTimeoutMs = 2_000;
const notAdmitted: SendResult = { isSent: false, fault: "TIMEOUT", isPermanent: false };
/** Timeout for storing the result, which is stored even if the caller no longer waits. */
const storeMs = 5_000;

/** Mails feedback to the team once and stores the result. `id` is the ID of its row, whose status is `SENDING`. */
export async function sendOnce(deps: SendDeps, call: Call, id: string, feedback: string): Promise<SendResult> {
  const { applicationId, orgId, userId } = call.tenant;
  const user = await keyOwner(deps, call);
  const content = feedbackMail({
    feedbackId: id,
    orgId,
    applicationId,
    userId: userId === "" ? null : userId,
    userName: user?.name,
    feedback,
  });
  const replyTo = mailAddress(user?.email ?? "");
  const send = () => deps.mail.send({ ...content, to: deps.feedbackTo, replyTo, id });
  const result = await deps.feedbackLimiter.run(applicationId, call.signal, send).catch(() => notAdmitted);
  // Not logged without a relay: that no mail is sent was logged at the start.
  if (!result.isSent && result.fault !== "NO_RELAY") {
    const { fault, smtpCode } = result;
    deps.log.error(
      { feedbackId: id, fault, smtpCode },
      "feedback was not sent; it is stored until an operator resends it: ems feedback resend",
    );
  }
  await storeResult(deps, call, id, result);
  return result;
}

/** Returns the owner of the API key; undefined if identity does not respond. */
async function keyOwner({ users, log }: SendDeps, call: Call) {
  const { userId } = call.tenant;
  if (userId === "") return undefined;
  const { timeoutMs, ...options } = forward(call);
  try {
    const limited = { ...options, timeoutMs: Math.min(timeoutMs, identityTimeoutMs) };
    const response = await users.batchGetUsers({ ids: [userId] }, limited);
    return response.users.find((user) => user.id === userId);
  } catch (error) {
    log.warn({ err: error }, "feedback is sent without a reply address: identity did not respond");
    return undefined;
  }
}

/** Stores the result, and publishes `feedback.sent` if the mail was sent. A row with status `SENT` does not change. */
export async function storeResult(
  { database, publish, clock }: Pick<SendDeps, "database" | "publish" | "clock">,
  { tenant, deadlineMs }: Call,
  id: string,
  result: SendResult,
): Promise<void> {
  const { applicationId, userId } = tenant;
  const row = { applicationId, id, status: Not("SENT" as const) };
  await database.withScope(tenant, deadlineMs + storeMs, async (tx) => {
    if (!result.isSent) {
      await tx.update(FeedbackEntity, row, { status: "FAILED", error: result.fault });
      return;
    }
    const sent = { status: "SENT", error: null, sentAt: clock.now() } as const;
    const affected = await tx.update(FeedbackEntity, row, sent);
    if (affected !== 1) return;
    const value = userId === "" ? { id } : { id, userId };
    await publish(tx, tenant, { case: "feedbackSent", value });
  });
}
