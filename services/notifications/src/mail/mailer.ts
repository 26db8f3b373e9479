// Sends the mails in the queue: each until it is sent, is permanently rejected, or has no attempts left.

import { createHash } from "node:crypto";
import type { BackgroundLoop } from "@ems/kit/background";
import type { Clock } from "@ems/kit/clock";
import { startPool } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { retryTransient } from "@ems/kit/db/retry";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { createTenantContext, requestIdHeader } from "@ems/kit/rpc/call";
import type { Users } from "@ems/users";
import { mailAddress } from "./address.ts";
import { type ClaimedJob, finish, type MailJobs, mailQueue, reschedule } from "./jobs.ts";
import type { MailTransport, SendResult } from "./mail.ts";
import { renderJob } from "./templates/index.ts";
import { relayConnectionsMax } from "./transport.ts";

export interface MailerDeps {
  readonly relayDatabase: RelayDatabase;
  readonly transport: MailTransport;
  readonly users: Users;
  /** Mail address of the operator, if configured. */
  readonly operatorTo: string | undefined;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
}

const pollMs = 5_000;
/** Lease, longer than a whole attempt: when it ends, the mailer that claimed the job has died. */
const leaseMs = 60_000;
const identityTimeoutMs = 2_000;
/** Delay while identity does not respond. */
const identityBackoffMs = 60_000;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Delay after each attempt, except for the eighth and last. */
const waitsMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, 12 * hourMs, 24 * hourMs];

/**
 * Starts the loop that sends mails: as many at a time as the relay has connections, alternating between applications.
 * An interrupted job is claimed again after its lease.
 */
export function startMailer(deps: MailerDeps): BackgroundLoop {
  const { clock, log } = deps;
  const jobs = mailQueue.on(deps.relayDatabase);
  return startPool({
    name: "sending mails",
    everyMs: pollMs,
    runningMax: relayConnectionsMax,
    perApplicationMax: relayConnectionsMax,
    log,
    claim: (query) => jobs.claim({ ...query, now: clock.now(), leaseMs }),
    // If the process stops, a mail in progress is still finished.
    work: (job, signal) => send(deps, jobs, job, signal),
  });
}

async function send(
  { transport, clock, log, ...deps }: MailerDeps,
  jobs: MailJobs,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  const { applicationId, id, userId, content, attempts } = job;
  const facts = { mailJob: id, applicationId, kind: content.kind };
  // Retries, because otherwise a sent mail would be sent a second time if the database was briefly unavailable.
  const store = (change: () => Promise<void>) => retryTransient(change, { signal });
  const recipient = await findRecipient({ log, ...deps }, job);
  const now = clock.now();
  if (recipient === "IDENTITY_DOWN") {
    const at = new Date(now.getTime() + identityBackoffMs);
    return store(() => reschedule(jobs, job, { at, reason: recipient, isCharged: false }));
  }
  if (typeof recipient === "string") {
    log.info({ ...facts, reason: recipient }, "no mail: there is no recipient");
    return store(() => finish(jobs, job, { status: "SKIPPED", reason: recipient, now }));
  }
  // The same Message-ID for each attempt, so that a duplicate after a crash is recognized.
  const mailId = createHash("sha256")
    .update(JSON.stringify([applicationId, id, userId]))
    .digest("hex")
    .slice(0, 32);
  const result = await transport.send({ ...renderJob(content, recipient.name), to: recipient.address, id: mailId });
  const next = nextState(result, attempts);
  if (next.status === "PENDING") {
    log.warn(
      { ...facts, attempts, fault: next.reason, smtpCode: next.smtpCode },
      "a mail was not sent and will be retried",
    );
    const at = new Date(clock.now().getTime() + next.waitMs);
    return store(() => reschedule(jobs, job, { at, reason: next.reason, isCharged: true }));
  }
  if (next.status === "FAILED")
    log.error({ ...facts, attempts, ...next }, "a mail was not sent and will not be retried");
  await store(() => finish(jobs, job, { ...next, now: clock.now() }));
}

function nextState(result: SendResult, attempts: number) {
  if (result.isSent) return { status: "SENT" } as const;
  const { fault: reason, isPermanent, smtpCode } = result;
  if (reason === "NO_RELAY" || reason === "KEPT") return { status: "SKIPPED", reason } as const;
  const waitMs = isPermanent ? undefined : waitsMs[attempts - 1];
  if (waitMs === undefined) return { status: "FAILED", reason, smtpCode } as const;
  return { status: "PENDING", waitMs, reason, smtpCode } as const;
}

type Recipient = { readonly name: string; readonly address: string };

/** Returns the recipient, or the reason why the mail has none. */
async function findRecipient(
  { users, operatorTo, newId, log }: Pick<MailerDeps, "users" | "operatorTo" | "newId" | "log">,
  { applicationId, orgId, userId, content }: ClaimedJob,
): Promise<Recipient | "IDENTITY_DOWN" | "UNKNOWN_PERSON" | "NO_ADDRESS" | "NO_OPERATOR"> {
  if (content.kind === "INVITED") {
    const address = mailAddress(content.address);
    return address === undefined ? "NO_ADDRESS" : { name: "", address };
  }
  if (userId === "") return operatorTo === undefined ? "NO_OPERATOR" : { name: "", address: operatorTo };
  const contextValues = createTenantContext({ orgId, applicationId, userId: "", isBackground: true });
  const options = { contextValues, headers: { [requestIdHeader]: newId() }, timeoutMs: identityTimeoutMs };
  try {
    const response = await users.batchGetUsers({ ids: [userId] }, options);
    const user = response.users.find((candidate) => candidate.id === userId);
    if (user === undefined) return "UNKNOWN_PERSON";
    const address = mailAddress(user.email ?? "");
    return address === undefined ? "NO_ADDRESS" : { name: user.name, address };
  } catch (error) {
    log.warn({ err: error }, "a mail waits: identity did not respond");
    return "IDENTITY_DOWN";
  }
}
