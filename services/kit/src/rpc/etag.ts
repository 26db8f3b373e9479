// Strong ETags of stored resources, and the precondition If-Match (RFC 9110, sections 8.8.3 and 13.1.1), over HTTP as between
// services.

import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { etag } from "@ems/proto/rest/v1/rest";
import { type ConnectError, invalidHeader } from "../errors.ts";
import type { Issue } from "../json/issue.ts";

export const etagHeader = "etag";
export const ifMatchHeader = "if-match";

/** Any stored version, or one of these ETags, quotes included. */
export type IfMatch = "*" | readonly string[];

/** The ETags that version.ts makes; no other one can match. */
const ownEtag = /^"[\w-]{22}"$/;
/** An element of the list, which may be empty. */
const element = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;
const message = "If-Match must be *, or ETags in double quotes, separated by commas";

/** The precondition, or an issue; neither when the header is absent. Weak ETags never match, and are left out. */
export function readIfMatch(header: string | string[] | undefined): { ifMatch?: IfMatch; issue?: Issue } {
  if (header === undefined) return {};
  const text = typeof header === "string" ? header : header.join(", ");
  if (text.trim() === "*") return { ifMatch: "*" };
  const etags = elements(text);
  if (etags.length > 0) return { ifMatch: etags.filter((one) => ownEtag.test(one)) };
  return { issue: { code: "invalid_string", message, path: ["If-Match"] } };
}

/** The header that is read as `ifMatch`. */
export function writeIfMatch(ifMatch: IfMatch): string {
  if (ifMatch === "*") return ifMatch;
  // A list that nothing matches stays one.
  return ifMatch.length === 0 ? '""' : ifMatch.join(", ");
}

/** The error of a call whose header cannot be read. */
export function invalidIfMatch(): ConnectError {
  return invalidHeader(ifMatchHeader, message);
}

/** Whether the RPC's answers have an ETag. */
export function hasEtag(method: DescMethod): boolean {
  return getOption(method, etag);
}

/** All ETags of the list; none when it is malformed. */
function elements(text: string): string[] {
  const etags: string[] = [];
  element.lastIndex = 0;
  while (element.lastIndex < text.length) {
    const match = element.exec(text);
    if (match === null) return [];
    if (match[1] !== undefined) etags.push(match[1]);
  }
  return etags;
}
