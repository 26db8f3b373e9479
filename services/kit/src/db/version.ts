// Versions of stored resources (DECISION-etags.md): an ETag is a digest of the stored columns. What is computed for an answer is
// no part of it.

import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { EntitySchema } from "typeorm";
import { versionMismatch } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { columnList } from "./columns.ts";
import type { Where } from "./entity-statements.ts";
import type { Transaction } from "./transaction.ts";

/** The versions of one kind of resource. */
export interface Versions<Resource> {
  /** Names the resource's version in the call's answer. */
  answer(call: Call, resource: Resource): void;
  /** Throws unless this is a version that the call may change. The resource has to be locked, or does not exist. */
  check(call: Call, resource: Resource | null | undefined): void;
  etag(resource: Resource): string;
}

/** The versions of rows, which a change may have to lock first. */
export interface RowVersions<Row, Resource> extends Versions<Resource> {
  /** Without If-Match, nothing. Else locks the row, and checks its version; a row that is not there is left to the change. */
  lock(tx: Transaction, call: Call, where: Where<Row>): Promise<void>;
}

/** Versions of an entity's rows. Columns in `except` are those that workers write while nobody changes the resource. */
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
      // A column that is added as NULL changes no ETag.
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

/** Versions of a set of links, which one request replaces as a whole. `kind` is the set's name. */
export function linkVersions(kind: string): Versions<{ readonly ownerId: string; readonly ids: readonly string[] }> {
  return versions(({ ownerId, ids }) => [
    kind,
    ownerId.toLowerCase(),
    ...new Set(ids.map((id) => id.toLowerCase()).toSorted()),
  ]);
}

/** Versions by what is stored of a resource. */
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

/** Until the transaction ends, a resource that may have no row yet is as this transaction finds it. */
export function lockVersion(tx: Transaction, ...key: readonly string[]): void {
  tx.defer("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [JSON.stringify(key)]);
}

/** 132 bits. */
const etagLength = 22;

/** The value as PostgreSQL returns it, in whatever form it was sent. */
function comparable(type: string, value: unknown): unknown {
  if (type === "uuid") return String(value).toLowerCase();
  // jsonb has its own order of keys.
  return type === "json" || type === "jsonb" ? canonicalize(value) : value;
}
