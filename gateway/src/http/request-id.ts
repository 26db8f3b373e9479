import type { IncomingHttpHeaders } from "node:http";
import type { NewId } from "@ems/kit/id";
import { requestIdOf as readRequestId } from "@ems/kit/rpc/request-id";

export function requestIdOf(headers: IncomingHttpHeaders, newId: NewId): string {
  return readRequestId(headers["x-request-id"], newId);
}
