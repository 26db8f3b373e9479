import { derivedId } from "./derived-id.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
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

/** The key of a step's row: its id, or one derived from an id that is no UUID. */
export function stepRowId(traceId: string, id: string): string {
  return uuid.test(id) ? id : derivedId("step-id", traceId, id);
}
