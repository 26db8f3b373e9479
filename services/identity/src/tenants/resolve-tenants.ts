import type { Handlers } from "@ems/kit/rpc/service";
import type { TenantService } from "@ems/proto/identity/v1/tenant_service";
import type { Deps } from "../deps.ts";
import { findTenants } from "./find-tenants.ts";

export function resolveTenants({ database }: Deps): Handlers<typeof TenantService>["resolveTenants"] {
  return async ({ tenants }, call) => ({ tenants: await findTenants(database, tenants, call.deadlineMs) });
}
