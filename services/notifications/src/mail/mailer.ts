// Sends the mails of the job table: each until it is out, refused for good, or tried often enough.

import { createHash } from "node:crypto";
import type { Users } from "@ems/kit/assigned-users";
import { runEvery } from "@ems/kit/background";
import type { Clock } from "@ems/kit/clock";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { onBehalfOf, requestIdHeader } from "@ems/kit/rpc/call";
import type pg from "pg";
import { mailAddress } from "./address.ts";
import { type ClaimedJob, claim, finish, pruneJobs, putOff } from "./jobs.ts";
import type { MailTransport, Outcome } from "./mail.ts";
import { waitMsAfter } from "./schedule.ts";
import { letterOf } from "./templates/index.ts";

export interface MailerDeps {
  /** As the role that sees every application's jobs. */
  readonly pool: pg.Pool;
  readonly transport: MailTransport;
  readonly users: Users;
  /** The operator's address, if one is known. */
  readonly operatorTo: string | undefined;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
}

export interface Mailer {
  /** There may be something to send. */
  wake(): void;
  /** Resolves when nothing is due and nothing is being sent. */
  idle(): Promise<void>;
  /** Resolves when what was being sent is out or not; nothing more is begun. */
  stop(): Promise<void>;
}

/** As many as the relay gets connections. */
const handsMax = 2;
const lookEveryMs = 5_000;
const pruneEveryMs = 60 * 60_000;
const askMs = 2_000;
/** When identity could not say where to send a mail to. */
const identityWaitMs = 60_000;

/** Sends what is due, from now until it is stopped: when woken, and every few seconds. */
export function startMailer(deps: MailerDeps): Mailer {
  const { pool, clock, log } = deps;
  const hands = new Set<Promise<void>>();
  let [isStopping, isWoken] = [false, false];

  const work = async () => {
    try {
      while (!isStopping) {
        isWoken = false;
        const job = await claim(pool, clock.now());
        if (job !== undefined) await send(deps, job);
        // Whoever woke us meanwhile may have added a job after we looked.
        else if (!isWoken) return;
      }
    } catch (error) {
      // The job in hand is another's once its lease is over.
      log.error({ err: error }, "the mailer was interrupted; it goes on in a few seconds");
    }
  };
  const wake = () => {
    isWoken = true;
    while (!isStopping && hands.size < handsMax) {
      const hand: Promise<void> = work().finally(() => hands.delete(hand));
      hands.add(hand);
    }
  };
  const timer = setInterval(wake, lookEveryMs).unref();
  const pruning = runEvery("removing old mail jobs", pruneEveryMs, () => pruneJobs(pool, clock.now()), log);
  wake();
  return {
    wake,
    async idle() {
      while (hands.size > 0) await Promise.all(hands);
    },
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await Promise.all([...hands, pruning.stop()]);
    },
  };
}

async function send({ pool, transport, clock, log, ...deps }: MailerDeps, job: ClaimedJob): Promise<void> {
  const { applicationId, id, userId, content, attempts } = job;
  const facts = { mailJob: id, applicationId, kind: content.kind };
  const recipient = await recipientOf({ log, ...deps }, job);
  const now = clock.now();
  if (recipient === "IDENTITY_DOWN") {
    const at = new Date(now.getTime() + identityWaitMs);
    return putOff(pool, job, { at, reason: recipient, isCharged: false });
  }
  if (typeof recipient === "string") {
    log.info({ ...facts, reason: recipient }, "no mail: nobody to send it to");
    return finish(pool, job, { status: "SKIPPED", reason: recipient, now });
  }
  // The same mail has the same id, so that one that came twice after a crash can be known as one.
  const mailId = createHash("sha256")
    .update(JSON.stringify([applicationId, id, userId]))
    .digest("hex")
    .slice(0, 32);
  const outcome = await transport.send({ ...letterOf(content, recipient.name), to: recipient.address, id: mailId });
  const next = afterAttempt(outcome, attempts);
  if (next.status === "PENDING") {
    log.warn({ ...facts, attempts, fault: next.reason, smtpCode: next.smtpCode }, "a mail did not go out yet");
    return putOff(pool, job, {
      at: new Date(clock.now().getTime() + next.waitMs),
      reason: next.reason,
      isCharged: true,
    });
  }
  if (next.status === "FAILED") log.error({ ...facts, attempts, ...next }, "a mail did not go out, and is given up");
  await finish(pool, job, { ...next, now: clock.now() });
}

/** What becomes of a job by what came of its attempt. */
function afterAttempt(outcome: Outcome, attempts: number) {
  if (outcome.isSent) return { status: "SENT" } as const;
  const { fault: reason, isPermanent, smtpCode } = outcome;
  if (reason === "NO_RELAY" || reason === "KEPT") return { status: "SKIPPED", reason } as const;
  const waitMs = isPermanent ? undefined : waitMsAfter(attempts);
  if (waitMs === undefined) return { status: "FAILED", reason, smtpCode } as const;
  return { status: "PENDING", waitMs, reason, smtpCode } as const;
}

type Recipient = { readonly name: string; readonly address: string };

/** Whom the job's mail goes to, or why to nobody. */
async function recipientOf(
  { users, operatorTo, newId, log }: Pick<MailerDeps, "users" | "operatorTo" | "newId" | "log">,
  { applicationId, orgId, userId }: ClaimedJob,
): Promise<Recipient | "IDENTITY_DOWN" | "UNKNOWN_PERSON" | "NO_ADDRESS" | "NO_OPERATOR"> {
  if (userId === "") return operatorTo === undefined ? "NO_OPERATOR" : { name: "", address: operatorTo };
  const contextValues = onBehalfOf({ orgId, applicationId, userId: "" });
  const headers = { [requestIdHeader]: newId() };
  try {
    const answer = await users.batchGetUsers({ ids: [userId] }, { contextValues, headers, timeoutMs: askMs });
    const person = answer.users.find((user) => user.id === userId);
    if (person === undefined) return "UNKNOWN_PERSON";
    const address = mailAddress(person.email ?? "");
    return address === undefined ? "NO_ADDRESS" : { name: person.name, address };
  } catch (error) {
    log.warn({ err: error }, "a mail waits: identity did not answer");
    return "IDENTITY_DOWN";
  }
}
