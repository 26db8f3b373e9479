import type { Tenant } from "@ems/kit/tenant";
import type { MemberRole } from "@ems/proto/identity/v1/member_service";

/** Authenticated caller and its permissions: the owner of an API key, or a signed-in member. */
export interface Principal extends Tenant {
  /** Granted scopes; empty means all. */
  readonly scopes: readonly string[];
  /** Expiry of the API key, in milliseconds since 1970. */
  readonly expiresMs?: number;
  /** Role of a signed-in member. It determines the scopes. */
  readonly role?: MemberRole;
}
