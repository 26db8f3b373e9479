// Ids of traces and of their end users, as every service makes them of what a client sent.

import { derivedId } from "@ems/kit/id";

const validUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A trace's id from a UUID or the 32 digits of an OpenTelemetry trace id, in any case. */
export function traceIdOf(text: string): string {
  const id = text.toLowerCase();
  return id.length === 32 ? traceUuid(id) : id;
}

/** The digits with dashes when that is a UUID, else one derived from them: most trace ids are 16 random bytes. */
export function traceUuid(digits: string): string {
  const dashed = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return validUuid.test(dashed) || /^f+$/.test(digits) ? dashed : derivedId("otel-trace", digits);
}

/** A key of an application's end user: another application's has another. It stands for the id where that must not be stored. */
export function endUserKey(applicationId: string, user: string): string {
  return derivedId("end-user", applicationId, user);
}
