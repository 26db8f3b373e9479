// Row-level security of tables with tenants' rows.

const tenants = {
  application_id: { type: "uuid", setting: "ems.application_id" },
  org_id: { type: "text", setting: "ems.org_id" },
} as const;

/** Column that identifies a row's tenant. */
export type TenantColumn = keyof typeof tenants;

/** Returns the column's type, and the transaction setting that contains the tenant. */
export function tenantSetting(column: TenantColumn): (typeof tenants)[TenantColumn] {
  return tenants[column];
}

/** DDL: rows of `table` are visible only to the transaction's tenant, even for the owner. */
export function tenantPolicy(table: string, column: TenantColumn = "application_id"): string {
  const { type, setting } = tenants[column];
  return `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON ${table} USING (${column} = nullif(current_setting('${setting}', true), '')::${type});`;
}
