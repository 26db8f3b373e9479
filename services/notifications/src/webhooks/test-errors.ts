// Texts that describe the outcomes of a webhook test.

import type { AttemptRow, DeliveryRow } from "../deliveries/index.ts";

const attemptErrors: Readonly<Record<string, string>> = {
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

/** Returns the reason why an attempt failed; undefined if it succeeded. */
export function attemptError({ outcome, statusCode }: Pick<AttemptRow, "outcome" | "statusCode">): string | undefined {
  if (outcome === "DELIVERED") return undefined;
  return attemptErrors[outcome] ?? (statusCode === null ? "The attempt failed" : `The receiver answered ${statusCode}`);
}

const stillPending = "The attempt has not ended yet; its outcome will appear in the list of deliveries";

/** Reasons why a failed test was not attempted. */
const ownFaults: Readonly<Record<string, string>> = {
  RESOLVER: "The name servers do not answer for the host of the URL",
  LOCAL: "The attempt could not be made",
};

/** Returns the reason why a test in this state was not attempted. */
export function noAttemptError({ status, lastOutcome }: Pick<DeliveryRow, "status" | "lastOutcome">): string {
  switch (status) {
    case "PENDING":
    // The attempt has not been written yet.
    case "DELIVERED":
      return stillPending;
    case "CANCELLED":
      return "The webhook was deleted before the attempt";
    case "FAILED":
      return ownFaults[lastOutcome ?? ""] ?? "The webhook was disabled before the attempt";
  }
}
