// Scope of a transaction: settings that the row-level security policies read.

import type { PoolClient } from "pg";
import { monotonicMs } from "../clock.ts";
import type { Statement } from "./batch.ts";
import { PoolerClient, type Settings } from "./pooler.ts";

/** Tenant whose rows a transaction sees. */
export interface Scope {
  readonly applicationId?: string;
  readonly orgId?: string;
  /** Digest of an API key; makes that key visible (identity's Authenticate). */
  readonly apiKeyDigest?: string;
}

// Sets four settings in one column, whose value is unused: four columns would cost a tenth of a read.
const scoped = `SELECT set_config('ems.application_id', $1, true) || set_config('ems.org_id', $2, true)
  || set_config('ems.api_key_digest', $3, true) || set_config('statement_timeout', $4, true)`;
const changeScoped = `${scoped} || set_config('ems.actor', $5, true)`;
const readScoped = `${scoped} || set_config('transaction_read_only', 'on', true)`;

/** Sets scope, statement timeout and the audit log's actor. Changes without an actor leave no audit entries. */
export function scopeStatements(client: PoolClient, scope: Scope, deadlineMs: number, actor = ""): Statement[] {
  const values = [...listValues(scope, deadlineMs), actor];
  const statement = { name: "ems-scope", text: changeScoped, values };
  return [...buildSettings(client), statement];
}

/** Like `scopeStatements`, and forbids writes even without a BEGIN. */
export function readScopeStatements(client: PoolClient, scope: Scope, deadlineMs: number): Statement[] {
  const statement = { name: "ems-read-scope", text: readScoped, values: listValues(scope, deadlineMs) };
  return [...buildSettings(client), statement];
}

function buildSettings(client: PoolClient): Statement[] {
  return client instanceof PoolerClient ? [settingsStatement(client.settings)] : [];
}

function listValues({ applicationId, orgId, apiKeyDigest }: Scope, deadlineMs: number): string[] {
  const remainingMs = Math.max(1, Math.ceil(deadlineMs - monotonicMs()));
  return [applicationId ?? "", orgId ?? "", apiKeyDigest ?? "", String(remainingMs)];
}

/** Sets PostgreSQL settings for the transaction. */
export function settingsStatement(settings: Settings): Statement {
  return {
    name: "ems-settings",
    text: "SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) setting (name, value)",
    values: [Object.keys(settings), Object.values(settings)],
  };
}
