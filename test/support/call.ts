import { newId } from "@ems/kit/id";
import { onBehalfOf, requestIdHeader } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";

/** A tenant that nobody else has. */
export function testTenant(): Tenant {
  return { orgId: `org-${newId()}`, applicationId: newId(), userId: "user-1" };
}

/** Options of a client call on behalf of `tenant`. */
export function testCall(tenant: Tenant, timeoutMs = 10_000) {
  return { contextValues: onBehalfOf(tenant), headers: { [requestIdHeader]: newId() }, timeoutMs };
}
