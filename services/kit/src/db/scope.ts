// On whose behalf a transaction runs: settings that the row-level security policies read.

/** Whose rows a transaction sees. */
export interface Scope {
  readonly applicationId?: string;
  readonly orgId?: string;
  /** Who has a key's digest sees that key (identity's Authenticate). */
  readonly apiKeyDigest?: string;
}

/** Sets scope and statement timeout for the transaction. */
export function scopeStatement({ applicationId, orgId, apiKeyDigest }: Scope, deadlineMs: number) {
  const remainingMs = Math.max(1, Math.ceil(deadlineMs - Date.now()));
  return {
    name: "ems-scope",
    text: `SELECT set_config('ems.application_id', $1, true), set_config('ems.org_id', $2, true),
      set_config('ems.api_key_digest', $3, true), set_config('statement_timeout', $4, true)`,
    values: [applicationId ?? "", orgId ?? "", apiKeyDigest ?? "", String(remainingMs)],
  };
}

/** Sets PostgreSQL's settings for the transaction. */
export function settingsStatement(settings: Readonly<Record<string, string>>) {
  return {
    name: "ems-settings",
    text: "SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) setting (name, value)",
    values: [Object.keys(settings), Object.values(settings)],
  };
}
