import type { NewId } from "../id.ts";

/** A client's request id is kept when it is safe in logs and headers. */
const requestIdPattern = /^[A-Za-z0-9._:+/=-]{1,128}$/;

export function requestIdOf(requestId: unknown, newId: NewId): string {
  return typeof requestId === "string" && requestIdPattern.test(requestId) ? requestId : newId();
}
