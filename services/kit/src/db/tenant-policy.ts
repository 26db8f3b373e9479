// Row-level security of tables that hold tenants' rows.

const tenants = {
  application_id: { type: "uuid", setting: "ems.application_id" },
  org_id: { type: "text", setting: "ems.org_id" },
} as const;

/** A column by which rows belong to a tenant. */
export type TenantColumn = keyof typeof tenants;

/** The column's type, and the transaction's setting that names the tenant. */
export function tenantSetting(column: TenantColumn): (typeof tenants)[TenantColumn] {
  return tenants[column];
}

/** DDL: rows of `table` are visible to the transaction's tenant alone, even for the owner. */
export function tenantPolicy(table: string, column: TenantColumn = "application_id"): string {
  const { type, setting } = tenants[column];
  return `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON ${table} USING (${column} = nullif(current_setting('${setting}', true), '')::${type});`;
}
