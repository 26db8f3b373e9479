// Cursors of list pages: the position of a page's last row, with the list, tenant, order and filters that it applies to.
// A page that starts at a cursor neither repeats nor loses rows while others are inserted and deleted.

import { createHash } from "node:crypto";
import { invalidField } from "../errors.ts";

/** Place in a list's order: the sort key as PostgreSQL's text, and the id. */
export interface Position {
  readonly key: string | null;
  readonly id: string;
}

/** List, tenant, order and filters of a cursor. Each is compared separately, so that the error names the difference. */
export interface CursorScope {
  readonly list: string;
  /** Organization or application. */
  readonly tenant: string;
  /** Name and direction of the order. */
  readonly order: string;
  readonly filters: string;
}

const version = 1;
/** Bytes of a digest: differences are detected, not prevented. */
const digestBytes = 9;

const differences: Readonly<Record<keyof CursorScope, string>> = {
  list: "The cursor belongs to another list",
  tenant: "The cursor belongs to another application",
  order: "The cursor belongs to another order: repeat `orderBy` and `orderDir` of the first page, or omit `after`",
  filters: "The cursor belongs to other filters: repeat the filters of the first page, or omit `after`",
};
const malformed = "The cursor is malformed: use the cursor in the response with the previous page or line";

export function encodeCursor(scope: CursorScope, { key, id }: Position): string {
  return Buffer.from(JSON.stringify([version, ...digests(scope), key, id])).toString("base64url");
}

/** Returns the position of a cursor. Throws an issue of the field `after` if the cursor is not one of this scope. */
export function decodeCursor(scope: CursorScope, cursor: string): Position {
  const [encoded, ...rest] = parse(cursor);
  const [key, id] = rest.slice(names.length);
  if (encoded !== version || rest.length !== names.length + 2 || !isText(id) || !(key === null || isText(key)))
    throw invalidCursor();
  for (const [index, expected] of digests(scope).entries()) {
    const name = names[index];
    if (name !== undefined && rest[index] !== expected) throw invalidField(["after"], differences[name]);
  }
  return { key, id };
}

/** Error for a cursor that no list returned. */
export function invalidCursor() {
  return invalidField(["after"], malformed);
}

const names = Object.keys(differences) as readonly (keyof CursorScope)[];

function digests(scope: CursorScope): string[] {
  return names.map((name) =>
    createHash("sha256").update(scope[name]).digest().subarray(0, digestBytes).toString("base64url"),
  );
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
