// What a client of the gateway is told of an error, whatever it speaks.

import { Code, ConnectError, internalError, type Reason, reasonOf, unavailable } from "@ems/kit/errors";
import { hasViolations } from "@ems/kit/json/violations";

/** A service refused how the gateway called it: a defect, which is no fault of the client. */
const ownFaults: ReadonlySet<Reason> = new Set([
  "CALLER_TOKEN_MISSING",
  "CALLER_TOKEN_INVALID",
  "CALLER_TOKEN_EXPIRED",
  "CALLER_FORBIDDEN",
  "TENANT_FORBIDDEN",
  "TENANT_MISSING",
  "TENANT_UNKNOWN",
  "METADATA_INVALID",
  "DEADLINE_MISSING",
]);

export function publicError(thrown: unknown): ConnectError {
  const error = thrown instanceof ConnectError ? thrown : internalError(thrown);
  if (ownFaults.has(reasonOf(error)) && !hasViolations(error)) return internalError(error);
  // Not by the client, which would not read this: the service stops.
  if (error.code === Code.Canceled) return unavailable(error.rawMessage, error);
  return error;
}
