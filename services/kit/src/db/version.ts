// Versions of stored resources (DECISION-etags.md): an ETag is a digest of the stored columns, without values that are
// computed for a response.

import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { EntitySchema } from "typeorm";
import { versionMismatch } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { columnList } from "./columns.ts";
import type { Where } from "./entity-statements.ts";
import type { Transaction } from "./transaction.ts";

/** Versions of one kind of resource. */
export interface Versions<Resource> {
  /** Adds the resource's ETag to the call's response. */
  answer(call: Call, resource: Resource): void;
  /** Throws unless the call may change this version. The resource must be locked, or not exist. */
  check(call: Call, resource: Resource | null | undefined): void;
  etag(resource: Resource): string;
}

/** Versions of rows, which a change may have to lock first. */
export interface RowVersions<Row, Resource> extends Versions<Resource> {
  /** Locks the row and checks its version; does nothing without If-Match. A missing row is handled by the change. */
  lock(tx: Transaction, call: Call, where: Where<Row>): Promise<void>;
}

/**
 * Versions of an entity's rows, without the columns in `except`, which workers write independently of changes by users.
 */
export function rowVersions<Row extends object>(
  entity: EntitySchema<Row>,
  { except = [] }: { readonly except?: readonly (keyof Row & string)[] } = {},
): RowVersions<Row, Row> {
  const columns = columnList(entity).filter(({ property }) => !except.some((name) => name === property));
  const table = String(entity.options.tableName);
  const ofRows = versions<Row>((row) => {
    const values = columns.flatMap(({ property, type }) => {
      const value = (row as Readonly<Record<string, unknown>>)[property];
      if (value === undefined) throw new Error(`a version of ${table} without its column ${property}`);
      // Omit null, so that adding a column does not change the ETags of rows where it is NULL.
      return value === null ? [] : [property, comparable(type, value)];
    });
    return [table, ...values];
  });
  return {
    ...ofRows,
    lock: async (tx, call, where) => {
      if (call.ifMatch === undefined) return;
      const row = await tx.findOne(entity, where, { lock: "NO KEY UPDATE" });
      if (row !== null) ofRows.check(call, row);
    },
  };
}

/** Versions of a set of links that one request replaces as a whole. `kind` is the set's name. */
export function linkVersions(kind: string): Versions<{ readonly ownerId: string; readonly ids: readonly string[] }> {
  return versions(({ ownerId, ids }) => [
    kind,
    ownerId.toLowerCase(),
    ...new Set(ids.map((id) => id.toLowerCase()).toSorted()),
  ]);
}

/** Versions computed from the stored values of a resource. */
export function versions<Resource>(stored: (resource: Resource) => readonly unknown[]): Versions<Resource> {
  const etag = (resource: Resource) => {
    const digest = hash("sha256", JSON.stringify(stored(resource)), "base64url");
    return `"${digest.slice(0, etagLength)}"`;
  };
  return {
    etag,
    answer: (call, resource) => call.answerEtag?.(etag(resource)),
    check: ({ ifMatch }, resource) => {
      if (ifMatch === undefined) return;
      const present = resource === null || resource === undefined ? undefined : etag(resource);
      const matches = present !== undefined && (ifMatch === "*" || ifMatch.includes(present));
      if (!matches) throw versionMismatch(present);
    },
  };
}

/** Locks a resource that may have no row yet, until the transaction ends. */
export function lockVersion(tx: Transaction, ...key: readonly string[]): void {
  tx.defer("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [JSON.stringify(key)]);
}

/** Characters of an ETag, which contain 132 bits of the digest. */
const etagLength = 22;

/** Converts the value to the form in which PostgreSQL returns it. */
function comparable(type: string, value: unknown): unknown {
  if (type === "uuid") return String(value).toLowerCase();
  // jsonb does not preserve the order of keys.
  return type === "json" || type === "jsonb" ? canonicalize(value) : value;
}
