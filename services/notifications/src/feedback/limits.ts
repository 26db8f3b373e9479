// Limits per application. Mails per hour are counted by rows, so the limit holds across processes and restarts.

import type { Transaction } from "@ems/kit/db/transaction";
import { concurrencyLimited, overloaded, rateLimited } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { MoreThan } from "typeorm";
import { relayConnectionsMax, relayTimeoutMs } from "../mail/index.ts";
import { FeedbackEntity } from "./entity.ts";

const hourMs = 60 * 60_000;

/** Limits concurrent mails to the relay: one per application, and in total the number of connections. */
export function feedbackLimiter(): TenantConcurrencyLimiter {
  return new TenantConcurrencyLimiter({
    max: relayConnectionsMax,
    maxPerKey: 1,
    queueMaxPerKey: 5,
    queueMax: 100,
    queueTimeoutMs: relayTimeoutMs,
    reject: (whose) =>
      whose === "key"
        ? concurrencyLimited("Too much feedback of this application at once", relayTimeoutMs)
        : overloaded("Too much feedback at once", relayTimeoutMs),
  });
}

/** Throws rateLimited if the application sent `max` feedback mails in the last hour. */
export async function checkHourlyLimit(tx: Transaction, applicationId: string, max: number, now: Date): Promise<void> {
  const [oldest] = await tx.find(
    FeedbackEntity,
    { applicationId, createdAt: MoreThan(new Date(now.getTime() - hourMs)) },
    { orderBy: { createdAt: "DESC" }, skip: max - 1, limit: 1 },
  );
  if (oldest === undefined) return;
  const waitMs = oldest.createdAt.getTime() + hourMs - now.getTime();
  throw rateLimited(
    "feedback-hour",
    `This application sent feedback ${max} times in the last hour, which is the limit; retry later`,
    waitMs,
  );
}
