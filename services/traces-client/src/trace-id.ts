// Ids of traces and end users, derived from clients' values in the same way by every service.

import { derivedId } from "@ems/kit/id";

const validUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Converts a UUID, or the 32 digits of an OpenTelemetry trace id, to a trace's id; case is ignored. */
export function toTraceId(text: string): string {
  const id = text.toLowerCase();
  return id.length === 32 ? traceUuid(id) : id;
}

/**
 * Formats 32 hex digits as a UUID if they are a valid one; otherwise derives a UUID from them, since most trace ids are
 * 16 random bytes.
 */
export function traceUuid(digits: string): string {
  const dashed = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return validUuid.test(dashed) || /^f+$/.test(digits) ? dashed : derivedId("otel-trace", digits);
}

/** Key of an application's end user, unique to the application. Replaces the id where the id must not be stored. */
export function endUserKey(applicationId: string, user: string): string {
  return derivedId("end-user", applicationId, user);
}
