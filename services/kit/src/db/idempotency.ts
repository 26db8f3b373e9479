// Idempotency keys: key, fingerprint of the request and answer are stored in the transaction of the effect, so both exist or
// neither does. An answer with a secret is not stored: a reference is, and a replay reads the resource afresh.

import { busy, type ConnectError, failure } from "../errors.ts";
import type { Idempotency } from "../rpc/call.ts";
import type { Tenant } from "../tenant.ts";
import { runtimeRole } from "./schema.ts";
import { bytes, nullable, table, text, timestamp, uuid } from "./table.ts";
import { tenantPolicy } from "./tenant-policy.ts";
import type { Transaction } from "./transaction.ts";

/** How a request is replayed whose answer must not be stored. */
export interface ReplayPolicy<Answer> {
  /** What is stored instead of the answer, such as the id of the resource; nothing when this is left out. */
  reference?(answer: Answer): string;
  /** The answer of a replay, by the stored reference. */
  replay(tx: Transaction, reference: string): Promise<Answer>;
}

/** For an answer that exists once only, such as a key's plaintext. */
export const notReplayable: ReplayPolicy<never> = { replay: () => Promise.reject(answerNotStored()) };

/** The error of a replay whose answer cannot be made again. */
export function answerNotStored(): ConnectError {
  return failure(
    "IDEMPOTENCY_ANSWER_NOT_STORED",
    "This request was answered before, and its answer cannot be shown again",
  );
}

interface IdempotentRun<Answer> {
  readonly tx: Transaction;
  readonly schema: string;
  readonly tenant: Tenant;
  readonly idempotency: Idempotency;
  readonly policy: ReplayPolicy<Answer> | undefined;
}

const retention = "interval '24 hours'";
/** Each new key deletes up to this many expired ones of its application, which bounds the table. */
const sweepMax = 10;

/** Runs `work` once per key: a replay gets the stored answer, or that of the policy. */
export async function runIdempotent<Answer>(
  { tx, schema, tenant, idempotency, policy }: IdempotentRun<Answer>,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const { key, rpc, fingerprint } = idempotency;
  const id = [tenant.applicationId, rpc, key];

  // The lock is held until the transaction ends, without waiting: a concurrent request with the key has to retry. The look-up
  // is a statement of its own: its snapshot has to be taken when the lock is held.
  const [[lock], [stored]] = await Promise.all([
    tx.query<{ held: boolean }>({
      name: "ems-idempotency-lock",
      text: "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held",
      values: [JSON.stringify([schema, ...id])],
    }),
    tx.query<{ fingerprint: Buffer; answer: Buffer | null; etag: string | null }>({
      name: "ems-idempotency-stored",
      text: `SELECT fingerprint, answer, etag FROM ${schema}.idempotency
        WHERE application_id = $1 AND rpc = $2 AND key = $3 AND created_at > now() - ${retention}`,
      values: id,
    }),
  ]);
  if (lock?.held !== true) throw busy("A request with this Idempotency-Key is still running");
  if (stored !== undefined) {
    if (!stored.fingerprint.equals(fingerprint))
      throw failure("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used with another request");
    idempotency.markReplayed(stored.etag ?? undefined);
    if (policy !== undefined) return policy.replay(tx, stored.answer?.toString() ?? "");
    if (stored.answer === null) throw answerNotStored();
    // The key is scoped by RPC, so the stored answer is this RPC's.
    return idempotency.decode(stored.answer) as Answer;
  }

  const answer = await work(tx);
  const toStore = policy === undefined ? idempotency.encode(answer) : policy.reference?.(answer);
  tx.defer({
    name: "ems-idempotency-store",
    text: `WITH expired AS (
       DELETE FROM ${schema}.idempotency WHERE (application_id, rpc, key) IN (
         SELECT application_id, rpc, key FROM ${schema}.idempotency
         WHERE application_id = $1 AND created_at <= now() - ${retention} AND (rpc, key) <> ($2, $3)
         LIMIT ${sweepMax} FOR UPDATE SKIP LOCKED))
     INSERT INTO ${schema}.idempotency (application_id, rpc, key, fingerprint, answer, etag, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, now())
     ON CONFLICT (application_id, rpc, key) DO UPDATE
     SET fingerprint = excluded.fingerprint, answer = excluded.answer, etag = excluded.etag, created_at = excluded.created_at`,
    values: [...id, fingerprint, toStore === undefined ? null : Buffer.from(toStore), idempotency.etag() ?? null],
  });
  return answer;
}

/** The table of the service whose schema has that name. */
export function idempotencyEntity(schema: string) {
  return table(
    `${schema}.idempotency`,
    {
      applicationId: uuid,
      rpc: text,
      key: text,
      fingerprint: bytes,
      /** The answer in protobuf, or a reference instead; null when there is neither. */
      answer: nullable(bytes),
      createdAt: timestamp,
      /** The answer's ETag, where it had one. */
      etag: nullable(text),
    },
    {
      primaryKey: ["applicationId", "rpc", "key"],
      indices: [{ name: "idempotency_created", columns: ["applicationId", "createdAt"] }],
    },
  );
}

/** DDL of the table. */
export function idempotencySql(schema: string): string {
  return `
    CREATE TABLE ${schema}.idempotency (
      application_id uuid NOT NULL,
      rpc text NOT NULL,
      key text NOT NULL,
      fingerprint bytea NOT NULL,
      answer bytea,
      created_at timestamptz(3) NOT NULL,
      etag text,
      CONSTRAINT idempotency_pkey PRIMARY KEY (application_id, rpc, key)
    );
    CREATE INDEX idempotency_created ON ${schema}.idempotency (application_id, created_at);
    ${tenantPolicy(`${schema}.idempotency`)}
    GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.idempotency TO ${runtimeRole({ name: schema })};
  `;
}
