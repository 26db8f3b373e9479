// Calls of experiments.

import { Code, ConnectError } from "@ems/kit/errors";
import type { NewId } from "@ems/kit/id";
import { createTenantContext, requestIdHeader } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";

const timeoutMs = 10_000;

/** Options of a call, on behalf of the tenant or of no tenant. */
export function callOptions(newId: NewId, tenant?: Tenant) {
  return { contextValues: createTenantContext(tenant), headers: { [requestIdHeader]: newId() }, timeoutMs };
}

export function toTenant({ applicationId, orgId }: Omit<Tenant, "userId">): Tenant {
  return { applicationId, orgId, userId: "", isBackground: true };
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.NotFound;
}
