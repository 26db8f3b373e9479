// Tenants of platform callers, looked up at identity and cached for seconds, so that most calls need no extra call.

import { LRUCache } from "lru-cache";
import { monotonic } from "../../clock.ts";
import { ConnectError, unavailable } from "../../errors.ts";
import { entriesAtMost } from "../../limits/cache-entries.ts";
import { LookupBatcher } from "../../limits/lookup-batcher.ts";

export interface NamedTenant {
  readonly organizationId?: string | undefined;
  /** Id of the application, in lower case. */
  readonly applicationId: string;
  readonly userId: string;
}

export interface FoundTenant {
  /**
   * The application's organization; undefined if the application does not exist or does not belong to the organization
   * in the request.
   */
  readonly organizationId?: string | undefined;
  readonly hasUser: boolean;
}

/** Finds the tenants, and returns them in the same order. */
export type FindTenants = (tenants: readonly NamedTenant[], requestId: string) => Promise<readonly FoundTenant[]>;

/** An unknown tenant may be created a moment later, so it is cached for less time. */
export const [foundMs, unknownMs] = [10_000, 2_000];
const cacheMax = 10_000;
const batchLimits = { callsMax: 2, keysMax: 100 };

interface Lookup {
  readonly tenant: NamedTenant;
  readonly requestId: string;
}

export class Tenants {
  /** Existing tenants have a separate cache, so that unknown tenants cannot evict them. */
  readonly #found = new LRUCache<string, FoundTenant>({
    ...entriesAtMost(cacheMax),
    ttl: foundMs,
    ttlResolution: 0,
    perf: monotonic,
  });
  readonly #unknown = new LRUCache<string, FoundTenant>({
    ...entriesAtMost(cacheMax),
    ttl: unknownMs,
    ttlResolution: 0,
    perf: monotonic,
  });
  readonly #inFlight = new Map<string, Promise<FoundTenant>>();
  readonly #batcher: LookupBatcher<Lookup, FoundTenant>;

  constructor(find: FindTenants) {
    const call = (lookups: readonly Lookup[]) =>
      find(
        lookups.map(({ tenant }) => tenant),
        lookups[0]?.requestId ?? "",
      );
    this.#batcher = new LookupBatcher({ ...batchLimits, call });
  }

  /** Finds the tenant. Throws UNAVAILABLE if it cannot be looked up: tenants are always verified. */
  find(tenant: NamedTenant, requestId: string): FoundTenant | Promise<FoundTenant> {
    const key = JSON.stringify([tenant.organizationId ?? null, tenant.applicationId, tenant.userId]);
    return (
      this.#found.get(key) ?? this.#unknown.get(key) ?? this.#inFlight.get(key) ?? this.#look(key, tenant, requestId)
    );
  }

  #look(key: string, tenant: NamedTenant, requestId: string): Promise<FoundTenant> {
    const looking = this.#batcher
      .load({ tenant, requestId })
      .then((found) => {
        const isKnown = found.organizationId !== undefined && found.hasUser;
        (isKnown ? this.#found : this.#unknown).set(key, found);
        return found;
      })
      .catch((error: unknown) => {
        const retryAfter = error instanceof ConnectError ? error.metadata.get("retry-after") : null;
        throw unavailable("Tenants cannot be checked at the moment", error, Number(retryAfter ?? 1) * 1_000);
      })
      .finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, looking);
    return looking;
  }
}
