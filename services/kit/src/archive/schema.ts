// DDL of the archive's batches.

import { relayRole, runtimeRole } from "../db/schema.ts";
import { tenantPolicy } from "../db/tenant-policy.ts";
import type { ArchiveKind } from "./types.ts";

/**
 * `<schema>.archive_batch` has a row a batch; `number` is used once. `archive_extent` is what may be read of them: what retention
 * hides is not part of any batch there.
 */
export function archiveSql(schema: string, kinds: readonly ArchiveKind[]): string {
  const [runtime, relay] = [runtimeRole({ name: schema }), relayRole({ name: schema })];
  return `
    CREATE TABLE ${schema}.archive_batch (
      application_id uuid NOT NULL,
      kind text NOT NULL,
      number integer GENERATED ALWAYS AS IDENTITY,
      starts timestamptz(3) NOT NULL,
      ends timestamptz(3) NOT NULL,
      state text NOT NULL DEFAULT 'open',
      rows bigint NOT NULL DEFAULT 0,
      checks jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      changed_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT archive_batch_pkey PRIMARY KEY (application_id, kind, number),
      CONSTRAINT archive_batch_kind_check CHECK (kind IN (${kinds.map((kind) => `'${kind}'`).join(", ")})),
      CONSTRAINT archive_batch_state_check CHECK (state IN ('open', 'published', 'dropped', 'restored', 'withdrawn')),
      CONSTRAINT archive_batch_interval_check CHECK (starts < ends)
    );
    CREATE INDEX archive_batch_starts ON ${schema}.archive_batch (application_id, kind, starts);
    ${tenantPolicy(`${schema}.archive_batch`)}
    CREATE POLICY relay ON ${schema}.archive_batch FOR SELECT TO ${relay} USING (true);
    GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.archive_batch TO ${runtime};
    GRANT SELECT ON ${schema}.archive_batch TO ${relay};

    CREATE VIEW ${schema}.archive_extent AS
      SELECT * FROM (
        SELECT application_id, kind, number, greatest(starts, CASE kind ${kinds
          .map((kind) => `WHEN '${kind}' THEN (SELECT ${schema}.kept_since('${kind}'))`)
          .join(" ")} END) AS starts, ends, state
        FROM ${schema}.archive_batch
      ) batch WHERE starts < ends;
    GRANT SELECT ON ${schema}.archive_extent TO ${runtime};
  `;
}
