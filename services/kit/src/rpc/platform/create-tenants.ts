import { createClient, type Transport } from "@connectrpc/connect";
import { TenantService } from "@ems/proto/identity/v1/tenant_service";
import type { Service } from "../../service.ts";
import { requestIdHeader } from "../call.ts";
import { inProcessTransport } from "../in-process.ts";
import { Tenants } from "./tenants.ts";

/** Timeout of a look-up: calls that wait longer treat identity as unavailable. */
const lookupMs = 3_000;

/** Looks up tenants at identity: over `peer`, or within this process if it is identity. */
export function createTenants({ name, endpoints }: Service, peer: (name: string) => Transport): Tenants {
  const isOwn = endpoints.some(({ service }) => service.typeName === TenantService.typeName);
  const client = createClient(TenantService, isOwn ? inProcessTransport(() => endpoints, name) : peer("identity"));
  return new Tenants(async (tenants, requestId) => {
    const call = { headers: { [requestIdHeader]: requestId }, timeoutMs: lookupMs };
    return (await client.resolveTenants({ tenants: [...tenants] }, call)).tenants;
  });
}
