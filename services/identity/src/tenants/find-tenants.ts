import type { Database } from "@ems/kit/db/database";
import type { FoundTenant, NamedTenant } from "@ems/kit/rpc/platform/tenants";

interface TenantRow {
  readonly orgId: string | null;
  readonly hasUser: boolean;
}

const text = `SELECT org_id AS "orgId", has_user AS "hasUser" FROM identity.find_tenants($1, $2, $3)`;

/** Finds the tenants with the given names, in the requested order. */
export async function findTenants(
  database: Database,
  tenants: readonly NamedTenant[],
  deadlineMs: number,
): Promise<FoundTenant[]> {
  const values = [
    tenants.map(({ organizationId }) => organizationId ?? null),
    tenants.map(({ applicationId }) => applicationId),
    tenants.map(({ userId }) => userId),
  ];
  // The scope is empty, because the tenant is not known yet; the function sets the scope for each name in turn.
  const rows = await database.readScoped<TenantRow>({}, deadlineMs, { name: "find-tenants", text, values });
  return rows.map(({ orgId, hasUser }) => ({ ...(orgId !== null && { organizationId: orgId }), hasUser }));
}
