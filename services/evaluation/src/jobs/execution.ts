// Options for calls to experiments.

import { Code, ConnectError } from "@ems/kit/errors";
import type { NewId } from "@ems/kit/id";
import { createTenantContext, requestIdHeader } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";

const timeoutMs = 10_000;

/** Returns the options of a call, on behalf of the tenant or, if none is given, of no tenant. */
export function callOptions(newId: NewId, tenant?: Tenant) {
  return { contextValues: createTenantContext(tenant), headers: { [requestIdHeader]: newId() }, timeoutMs };
}

export function toTenant({ applicationId, orgId }: Omit<Tenant, "userId">): Tenant {
  return { applicationId, orgId, userId: "", isBackground: true };
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.NotFound;
}
