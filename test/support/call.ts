import { newId } from "@ems/kit/id";
import { createTenantContext, requestIdHeader } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";

/** Returns a new tenant. */
export function testTenant(): Tenant {
  return { orgId: `org-${newId()}`, applicationId: newId(), userId: "user-1" };
}

/** Call options on behalf of `tenant`, with a long timeout, for busy machines. */
export function testCall(tenant: Tenant, timeoutMs = 60_000) {
  return { contextValues: createTenantContext(tenant), headers: { [requestIdHeader]: newId() }, timeoutMs };
}
