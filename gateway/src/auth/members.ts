// Cached lookup of application members in identity. Removals and role changes take effect within seconds.

import type { Clock } from "@ems/kit/clock";
import { Code, ConnectError } from "@ems/kit/errors";
import { SignInService } from "@ems/proto/identity/v1/sign_in_service";
import type { GatewayConfig } from "../config.ts";
import { callUpstream, type Peer } from "../upstreams/call-upstream.ts";
import { lookupMs } from "./key-owners.ts";
import type { Principal } from "./principal.ts";
import { RevalidatedCache } from "./revalidated-cache.ts";
import { getScopes } from "./roles.ts";

/** Person and application of a session. */
export interface SignedIn {
  readonly orgId: string;
  readonly applicationId: string;
  readonly userId: string;
}

export class Members {
  readonly #config: GatewayConfig;
  readonly #peer: Peer;
  readonly #members: RevalidatedCache<Principal>;

  constructor(config: GatewayConfig, clock: Clock, peer: Peer) {
    this.#config = config;
    this.#peer = peer;
    this.#members = new RevalidatedCache(config, clock);
  }

  /**
   * Returns the member; undefined when the user is no longer a member. Throws unavailable when identity does not
   * respond.
   */
  find({ orgId, applicationId, userId }: SignedIn, requestId: string): Promise<Principal | undefined> {
    const person = { orgId, applicationId, userId };
    return this.#members.find(JSON.stringify(person), () => this.#look(person, requestId));
  }

  /** Removes a member from the cache after a removal or role change. */
  forget(memberId: string): void {
    this.#members.forget((member) => member.memberId === memberId.toLowerCase());
  }

  async #look(person: SignedIn, requestId: string): Promise<Principal | undefined> {
    const options = { requestId, timeoutMs: Math.min(lookupMs, this.#config.DEADLINE_MS) };
    try {
      const { message } = await callUpstream(this.#peer, SignInService.method.getMembership, person, options);
      const scopes = getScopes(message.role);
      return scopes && { ...person, memberId: message.memberId, role: message.role, scopes };
    } catch (error) {
      if (error instanceof ConnectError && error.code === Code.NotFound) return undefined;
      throw error;
    }
  }
}
