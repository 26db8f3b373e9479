import { type Mount, mount } from "@ems/kit/rpc/service";
import { TenantService } from "@ems/proto/identity/v1/tenant_service";
import type { Deps } from "../deps.ts";
import { resolveTenants } from "./resolve-tenants.ts";

export { findTenants } from "./find-tenants.ts";

export const tenants = (deps: Deps): Mount => mount(TenantService, { resolveTenants: resolveTenants(deps) });
