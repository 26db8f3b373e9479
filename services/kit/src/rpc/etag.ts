// Strong ETags of stored resources, and the precondition If-Match (RFC 9110, sections 8.8.3 and 13.1.1), over HTTP and
// between services.

import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { etag } from "@ems/proto/rest/v1/rest";
import { type ConnectError, invalidHeader } from "../errors.ts";
import type { Issue } from "../json/issue.ts";

export const etagHeader = "etag";
export const ifMatchHeader = "if-match";

/** Any stored version, or one of these ETags, including quotes. */
export type IfMatch = "*" | readonly string[];

/** Format of ETags from version.ts; others never match. */
const ownEtag = /^"[\w-]{22}"$/;
/** One element of the list; it may be empty. */
const element = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;
const message = "If-Match must be *, or ETags in double quotes, separated by commas";

/**
 * Parses the precondition; returns neither value nor issue if the header is absent. Drops weak ETags, which never
 * match.
 */
export function readIfMatch(header: string | string[] | undefined): { ifMatch?: IfMatch; issue?: Issue } {
  if (header === undefined) return {};
  const text = typeof header === "string" ? header : header.join(", ");
  if (text.trim() === "*") return { ifMatch: "*" };
  const etags = elements(text);
  if (etags.length > 0) return { ifMatch: etags.filter((etag) => ownEtag.test(etag)) };
  return { issue: { code: "invalid_string", message, path: ["If-Match"] } };
}

/** Formats the header for `ifMatch`. */
export function writeIfMatch(ifMatch: IfMatch): string {
  if (ifMatch === "*") return ifMatch;
  // An empty list matches nothing; written as an empty ETag, it still does.
  return ifMatch.length === 0 ? '""' : ifMatch.join(", ");
}

/** Error for a call whose If-Match header is malformed. */
export function invalidIfMatch(): ConnectError {
  return invalidHeader(ifMatchHeader, message);
}

/** Returns true if the RPC's responses have an ETag. */
export function hasEtag(method: DescMethod): boolean {
  return getOption(method, etag);
}

/** Lists all ETags; none if the list is malformed. */
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
