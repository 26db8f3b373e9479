// On whose behalf a transaction runs: settings that the row-level security policies read.

import type { PoolClient } from "pg";
import { monotonicMs } from "../clock.ts";
import type { Statement } from "./batch.ts";
import { PoolerClient, type Settings } from "./pooler.ts";

/** Whose rows a transaction sees. */
export interface Scope {
  readonly applicationId?: string;
  readonly orgId?: string;
  /** Who has a key's digest sees that key (identity's Authenticate). */
  readonly apiKeyDigest?: string;
}

// One column, which nobody reads: four of them cost PostgreSQL a tenth of a read.
const scoped = `SELECT set_config('ems.application_id', $1, true) || set_config('ems.org_id', $2, true)
  || set_config('ems.api_key_digest', $3, true) || set_config('statement_timeout', $4, true)`;
const changeScoped = `${scoped} || set_config('ems.actor', $5, true)`;
const readScoped = `${scoped} || set_config('transaction_read_only', 'on', true)`;

/** Sets scope and statement timeout for the transaction, and on whose account the audit log has its changes; nobody's if empty. */
export function scopeStatements(client: PoolClient, scope: Scope, deadlineMs: number, actor = ""): Statement[] {
  const values = [...valuesOf(scope, deadlineMs), actor];
  const statement = { name: "ems-scope", text: changeScoped, values };
  return [...settingsOf(client), statement];
}

/** As `scopeStatements`, and allows no writes: also where no BEGIN says so. */
export function readScopeStatements(client: PoolClient, scope: Scope, deadlineMs: number): Statement[] {
  const statement = { name: "ems-read-scope", text: readScoped, values: valuesOf(scope, deadlineMs) };
  return [...settingsOf(client), statement];
}

function settingsOf(client: PoolClient): Statement[] {
  return client instanceof PoolerClient ? [settingsStatement(client.settings)] : [];
}

function valuesOf({ applicationId, orgId, apiKeyDigest }: Scope, deadlineMs: number): string[] {
  const remainingMs = Math.max(1, Math.ceil(deadlineMs - monotonicMs()));
  return [applicationId ?? "", orgId ?? "", apiKeyDigest ?? "", String(remainingMs)];
}

/** Sets PostgreSQL's settings for the transaction. */
export function settingsStatement(settings: Settings): Statement {
  return {
    name: "ems-settings",
    text: "SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) setting (name, value)",
    values: [Object.keys(settings), Object.values(settings)],
  };
}
