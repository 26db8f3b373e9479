import { newId } from "../id.ts";
import { requestIdHeader } from "../rpc/call.ts";
import { type Tenant, tenantHeaders } from "../tenant.ts";

/** A tenant that nobody else has. */
export function testTenant(): Tenant {
  return { orgId: `org-${newId()}`, applicationId: newId(), userId: "user-1" };
}

/** Options of a client call on behalf of `tenant`. */
export function testCall(tenant: Tenant, timeoutMs = 10_000) {
  return { headers: { ...tenantHeaders(tenant), [requestIdHeader]: newId() }, timeoutMs };
}
