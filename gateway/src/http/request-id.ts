import type { IncomingHttpHeaders } from "node:http";
import type { NewId } from "@ems/kit/id";

/** A client's request id is kept when it is safe in logs and headers. */
const requestIdPattern = /^[A-Za-z0-9._:+/=-]{1,128}$/;

export function requestIdOf({ "x-request-id": requestId }: IncomingHttpHeaders, newId: NewId): string {
  return typeof requestId === "string" && requestIdPattern.test(requestId) ? requestId : newId();
}
