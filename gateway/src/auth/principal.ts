import type { Tenant } from "@ems/kit/tenant";
import type { MemberRole } from "@ems/proto/identity/v1/member_service";

/** Whose request it is, and what they may do: the owner of an API key, or a member who is signed in. */
export interface Principal extends Tenant {
  /** Everything when there are none. */
  readonly scopes: readonly string[];
  /** When an API key stops working, in milliseconds since 1970. */
  readonly expiresMs?: number;
  /** A member's, of which the scopes are. */
  readonly role?: MemberRole;
}
