// An application's share of the team's mailbox and of the mail relay. What requests it may make a minute, each gateway
// counts for itself; what it may make in an hour is counted by the rows, whoever takes the requests and however often it restarts.

import type { Transaction } from "@ems/kit/db/transaction";
import { tooManyRequests, unavailable } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { MoreThan } from "typeorm";
import { connectionsMax, wholeMs } from "../mail/transport.ts";
import { FeedbackEntity } from "./entity.ts";

const hourMs = 60 * 60_000;

/** Places at the relay: one mail at a time of an application, as many in all as there are connections. */
export function feedbackPlaces(): TenantConcurrencyLimiter {
  return new TenantConcurrencyLimiter({
    max: connectionsMax,
    maxPerKey: 1,
    queueMaxPerKey: 5,
    queueMax: 100,
    queueTimeoutMs: wholeMs,
    reject: (whose) =>
      whose === "key"
        ? tooManyRequests("Too much feedback of this application at once", wholeMs)
        : unavailable("Too much feedback at once", undefined, wholeMs),
  });
}

/** Throws tooManyRequests when the application gave as much feedback in the last hour as it may. */
export async function checkHour(tx: Transaction, applicationId: string, max: number, now: Date): Promise<void> {
  const [oldest] = await tx.find(
    FeedbackEntity,
    { applicationId, createdAt: MoreThan(new Date(now.getTime() - hourMs)) },
    { orderBy: { createdAt: "DESC" }, skip: max - 1, limit: 1 },
  );
  if (oldest === undefined) return;
  const waitMs = oldest.createdAt.getTime() + hourMs - now.getTime();
  throw tooManyRequests(`This application gave feedback ${max} times in an hour, and may not more often`, waitMs);
}
