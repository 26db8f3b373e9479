// DDL of transfers: the import that filled an application.

import { auditTriggersSql } from "../audit-schema.ts";
import { runtimeRole } from "../schema.ts";
import { tenantPolicy } from "../tenant-policy.ts";

/** `<schema>.import`, with one row per application that was filled by an import. */
export function transferSql(schema: string): string {
  const table = `${schema}.import`;
  return `
    CREATE TABLE ${table} (
      application_id uuid NOT NULL,
      org_id text NOT NULL,
      id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      ended_at timestamptz(3),
      CONSTRAINT import_pkey PRIMARY KEY (application_id)
    );
    ${tenantPolicy(table)}
    GRANT SELECT, INSERT, UPDATE ON ${table} TO ${runtimeRole({ name: schema })};
    ${auditTriggersSql(schema, { table: "import" })}`;
}
