import { newId } from "../id.ts";
import { onBehalfOf, requestIdHeader } from "../rpc/call.ts";
import type { Tenant } from "../tenant.ts";

/** A tenant that nobody else has. */
export function testTenant(): Tenant {
  return { orgId: `org-${newId()}`, applicationId: newId(), userId: "user-1" };
}

/** Options of a client call on behalf of `tenant`. */
export function testCall(tenant: Tenant, timeoutMs = 10_000) {
  return { contextValues: onBehalfOf(tenant), headers: { [requestIdHeader]: newId() }, timeoutMs };
}
