import { derivedId } from "@ems/kit/id";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The key of a step's row: its id, or one derived from an id that is no UUID. */
export function stepRowId(traceId: string, id: string): string {
  return uuid.test(id) ? id : derivedId("step-id", traceId, id);
}
