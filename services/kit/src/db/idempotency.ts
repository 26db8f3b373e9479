// Idempotency keys: key, request fingerprint and response are stored in the transaction of the effect, so both exist or
// neither does. A response with a secret is not stored: its reference is, and a replay reads the resource again.

import { busy, type ConnectError, failure } from "../errors.ts";
import type { Idempotency } from "../rpc/call.ts";
import type { Tenant } from "../tenant.ts";
import { runtimeRole } from "./schema.ts";
import { bytes, nullable, table, text, timestamp, uuid } from "./table.ts";
import { tenantPolicy } from "./tenant-policy.ts";
import type { Transaction } from "./transaction.ts";

/** Replay of a request whose response must not be stored. */
export interface ReplayPolicy<Answer> {
  /** Returns the value to store instead of the response, such as the resource's id; if omitted, none is stored. */
  reference?(answer: Answer): string;
  /** Builds the response of a replay from the stored reference. */
  replay(tx: Transaction, reference: string): Promise<Answer>;
}

/** Policy for a response that exists only once, such as a key's plaintext. */
export const notReplayable: ReplayPolicy<never> = { replay: () => Promise.reject(answerNotStored()) };

/** Error of a replay whose response cannot be built again. */
export function answerNotStored(): ConnectError {
  return failure(
    "IDEMPOTENCY_ANSWER_NOT_STORED",
    "This request already succeeded, and its response cannot be returned a second time. Send a new request with a new Idempotency-Key",
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
/** Each new key deletes up to this many expired keys of its application, which bounds the table. */
const sweepMax = 10;

/** Runs `work` once per key: a replay gets the stored response, or the response that the policy builds. */
export async function runIdempotent<Answer>(
  { tx, schema, tenant, idempotency, policy }: IdempotentRun<Answer>,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const { key, rpc, fingerprint } = idempotency;
  const id = [tenant.applicationId, rpc, key];

  // The lock is held until the transaction ends; a concurrent request with the key must retry instead of waiting. The
  // look-up is a separate statement, because its snapshot must be taken while the lock is held.
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
    // The key is scoped by RPC, so the stored response belongs to this RPC.
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

/** Defines the idempotency table of the service with that schema. */
export function idempotencyEntity(schema: string) {
  return table(
    `${schema}.idempotency`,
    {
      applicationId: uuid,
      rpc: text,
      key: text,
      fingerprint: bytes,
      /** The response in protobuf, or a reference; null if there is neither. */
      answer: nullable(bytes),
      createdAt: timestamp,
      /** The response's ETag, if it had one. */
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
