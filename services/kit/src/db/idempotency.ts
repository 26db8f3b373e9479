// Calls that may be repeated: key, digest of the request and answer are kept in the transaction of the effect. So either
// the effect and the means to repeat the answer are both there, or neither is. An answer with a secret is kept nowhere: a
// note is kept in its place, and a repeat reads afresh what the note tells of.

import { EntitySchema } from "typeorm";
import { busy, type ConnectError, conflict, unprocessable } from "../errors.ts";
import type { Idempotency } from "../rpc/call.ts";
import type { Tenant } from "../tenant.ts";
import type { Transaction } from "./transaction.ts";

export interface IdempotencyRow {
  applicationId: string;
  rpc: string;
  key: string;
  fingerprint: Buffer;
  /** The answer in protobuf, or a note in its place; null when there is neither. */
  answer: Buffer | null;
  createdAt: Date;
}

/** How a repeat is answered where the answer itself is not to be kept. */
export interface Repeat<Answer> {
  /** What is kept in place of the answer, such as the id of what it shows; nothing when this is left out. */
  note?(answer: Answer): string;
  /** The answer of a repeat; `note` is what was kept. */
  again(tx: Transaction, note: string): Promise<Answer>;
}

/** For an answer that can be given once only, such as a key that is stored nowhere. */
export const neverAgain: Repeat<never> = { again: () => Promise.reject(answeredBefore()) };

/** What a repeat is told whose answer is there no more. */
export function answeredBefore(): ConnectError {
  return conflict("This request was answered before, and its answer cannot be shown again");
}

interface Repeatable<Answer> {
  readonly tx: Transaction;
  readonly schema: string;
  readonly tenant: Tenant;
  readonly idempotency: Idempotency;
  readonly repeat: Repeat<Answer> | undefined;
}

const keptFor = "interval '24 hours'";
/** Each new key takes this many expired ones of its application along, so that the table does not grow. */
const sweepMax = 10;

/** Does `work` unless it was done under the same key: then the answer is the one that was given, or that of `repeat`. */
export async function once<Answer>(
  repeatable: Repeatable<Answer>,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const { tx, schema, tenant, idempotency, repeat } = repeatable;
  const { key, rpc, fingerprint } = idempotency;
  const id = [tenant.applicationId, rpc, key];

  // Held until the transaction ends, and not waited for: whoever comes meanwhile is told to come again.
  const [lock] = await tx.query<{ held: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held",
    [JSON.stringify([schema, ...id])],
  );
  if (lock?.held !== true) throw busy("A request with this Idempotency-Key is still running");

  const [kept] = await tx.query<{ fingerprint: Buffer; answer: Buffer | null }>(
    `SELECT fingerprint, answer FROM ${schema}.idempotency
     WHERE application_id = $1 AND rpc = $2 AND key = $3 AND created_at > now() - ${keptFor}`,
    id,
  );
  if (kept !== undefined) {
    if (!kept.fingerprint.equals(fingerprint))
      throw unprocessable("This Idempotency-Key was used with another request");
    idempotency.markReplayed();
    if (repeat !== undefined) return repeat.again(tx, kept.answer?.toString() ?? "");
    if (kept.answer === null) throw answeredBefore();
    // What was kept under this RPC is this RPC's answer.
    return idempotency.decode(kept.answer) as Answer;
  }

  const answer = await work(tx);
  const toKeep = repeat === undefined ? idempotency.encode(answer) : repeat.note?.(answer);
  await tx.query(
    `WITH expired AS (
       DELETE FROM ${schema}.idempotency WHERE (application_id, rpc, key) IN (
         SELECT application_id, rpc, key FROM ${schema}.idempotency
         WHERE application_id = $1 AND created_at <= now() - ${keptFor} AND (rpc, key) <> ($2, $3)
         LIMIT ${sweepMax} FOR UPDATE SKIP LOCKED))
     INSERT INTO ${schema}.idempotency (application_id, rpc, key, fingerprint, answer, created_at)
     VALUES ($1, $2, $3, $4, $5, now())
     ON CONFLICT (application_id, rpc, key)
     DO UPDATE SET fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`,
    [...id, fingerprint, toKeep === undefined ? null : Buffer.from(toKeep)],
  );
  return answer;
}

/** The table of the service whose schema has that name. */
export function idempotencyEntity(schema: string): EntitySchema<IdempotencyRow> {
  return new EntitySchema<IdempotencyRow>({
    name: "Idempotency",
    tableName: "idempotency",
    schema,
    columns: {
      applicationId: {
        type: "uuid",
        name: "application_id",
        primary: true,
        primaryKeyConstraintName: "idempotency_pkey",
      },
      rpc: { type: "text", primary: true, primaryKeyConstraintName: "idempotency_pkey" },
      key: { type: "text", primary: true, primaryKeyConstraintName: "idempotency_pkey" },
      fingerprint: { type: "bytea" },
      answer: { type: "bytea", nullable: true },
      createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    },
    indices: [{ name: "idempotency_created", columns: ["applicationId", "createdAt"] }],
  });
}

/** The table as first made; a migration of each service runs it. */
export function createIdempotencyV1(schema: string, runtimeRole: string): string {
  return `
    CREATE TABLE ${schema}.idempotency (
      application_id uuid NOT NULL,
      rpc text NOT NULL,
      key text NOT NULL,
      fingerprint bytea NOT NULL,
      answer bytea,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT idempotency_pkey PRIMARY KEY (application_id, rpc, key)
    );
    CREATE INDEX idempotency_created ON ${schema}.idempotency (application_id, created_at);
    ALTER TABLE ${schema}.idempotency ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${schema}.idempotency FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON ${schema}.idempotency
      USING (application_id = nullif(current_setting('ems.application_id', true), '')::uuid);
    GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.idempotency TO ${runtimeRole};
  `;
}
