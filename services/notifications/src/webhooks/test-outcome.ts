// What came of a test, in a sentence for the person who asked for it.

import type { AttemptRow } from "../deliveries/attempt-entity.ts";
import type { DeliveryRow } from "../deliveries/entity.ts";

const sentences: Readonly<Record<string, string>> = {
  REDIRECT: "The receiver answered with a redirect; redirects are not followed",
  GONE: "The receiver answered 410 Gone: the webhook is disabled",
  TIMEOUT: "The receiver did not answer in time",
  NAME_NOT_FOUND: "The host of the URL cannot be found",
  NOT_PUBLIC: "The URL must be https and resolve to a public host",
  CONNECTION_REFUSED: "The receiver refused the connection",
  CONNECTION_LOST: "The receiver closed the connection before it had answered",
  CERTIFICATE: "The receiver's certificate is not valid",
  BAD_ANSWER: "The receiver's answer is not HTTP",
};

/** Why an attempt was no success; undefined when it was one. */
export function errorOf({ outcome, statusCode }: Pick<AttemptRow, "outcome" | "statusCode">): string | undefined {
  if (outcome === "DELIVERED") return undefined;
  return sentences[outcome] ?? (statusCode === null ? "The attempt failed" : `The receiver answered ${statusCode}`);
}

const stillPending = "The attempt has not ended yet; its outcome will be found among the deliveries";

/** Why a test that has failed was not attempted. */
const unmade: Readonly<Record<string, string>> = {
  RESOLVER: "The name servers do not answer for the host of the URL",
  LOCAL: "The attempt could not be made",
};

/** Why a test that stands so was not attempted. */
export function withoutAttempt({ status, lastOutcome }: Pick<DeliveryRow, "status" | "lastOutcome">): string {
  switch (status) {
    case "PENDING":
    // It was, and is being logged.
    case "DELIVERED":
      return stillPending;
    case "CANCELLED":
      return "The webhook was deleted before the attempt";
    case "FAILED":
      return unmade[lastOutcome ?? ""] ?? "The webhook was disabled before the attempt";
  }
}
