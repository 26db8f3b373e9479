// Owners of API keys, as identity knows them: cached for seconds, stale-while-revalidate, so that most requests need no
// extra hop.

import { hash } from "node:crypto";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { isKey } from "@ems/kit/api-key";
import type { Clock } from "@ems/kit/clock";
import { Code, ConnectError, overloaded, reasonOf } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { LookupBatcher } from "@ems/kit/limits/lookup-batcher";
import type { Tenant } from "@ems/kit/tenant";
import { ApiKeyService, type AuthenticateResponse } from "@ems/proto/identity/v1/api_key_service";
import { LRUCache } from "lru-cache";
import type { GatewayConfig } from "../config.ts";
import { callUpstream, type Peer } from "../upstreams/call-upstream.ts";
import { clientNetwork } from "./client-address.ts";

export interface KeyOwner extends Tenant {
  readonly keyId: string;
  /** What the key may do; everything when there are none. */
  readonly scopes: readonly string[];
  /** When the key stops working, in milliseconds since 1970. */
  readonly expiresMs?: number;
}

interface CachedOwner {
  readonly owner: KeyOwner;
  readonly atMs: number;
}

interface KeyLookup {
  readonly digest: string;
  readonly apiKey: string;
  readonly requestId: string;
}

/** Lookup timeout; waiting requests treat a longer one as an outage. */
const lookupMs = 3_000;
/** Bounds what a flood of unseen keys can cost identity. */
const batchLimits = { callsMax: 2, keysMax: 100 };
/** Negative cache: separate from the positive one, so that unknown keys cannot evict valid ones. */
const unknownMax = 10_000;

export class KeyOwners {
  readonly #config: GatewayConfig;
  readonly #clock: Clock;
  readonly #peer: Peer;
  /** Keyed by digest, so that no plaintext key outlives its request. */
  readonly #owners: LRUCache<string, CachedOwner>;
  /** When identity reported the key as unknown. */
  readonly #unknownAtMs = new LRUCache<string, number>({ max: unknownMax });
  readonly #inFlight = new Map<string, Promise<KeyOwner | undefined>>();
  /** Anyone can generate well-formed keys: lookups of unseen ones are limited per client network, round robin. */
  readonly #unseenLookups: TenantConcurrencyLimiter;
  readonly #batcher: LookupBatcher<KeyLookup, KeyOwner | undefined>;
  /** Incremented by `forget`; lookups that started before are not cached. */
  #generation = 0;

  constructor(config: GatewayConfig, clock: Clock, peer: Peer) {
    this.#config = config;
    this.#clock = clock;
    this.#peer = peer;
    this.#owners = new LRUCache({ max: config.AUTH_CACHE_KEYS_MAX });
    this.#unseenLookups = new TenantConcurrencyLimiter({
      max: config.AUTH_LOOK_UPS_MAX,
      queueMaxPerKey: config.AUTH_LOOK_UPS_WAITING_MAX,
      queueMax: config.AUTH_LOOK_UPS_WAITING_MAX,
      queueTimeoutMs: lookupMs,
      reject: () => overloaded("Too many unknown API keys at once"),
    });
    this.#batcher = new LookupBatcher({ ...batchLimits, call: (lookups) => this.#authenticateAll(lookups) });
  }

  /** The owner of a key, or undefined for an unknown, expired or malformed key. Throws unavailable when identity does not respond. */
  async find(apiKey: string, address: string, requestId: string): Promise<KeyOwner | undefined> {
    const lookup = { digest: hash("sha256", apiKey, "base64url"), apiKey, requestId };
    const cached = this.#owners.get(lookup.digest);
    if (cached === undefined) return this.#findUnseen(lookup, address);
    if (isExpired(cached.owner, this.#clock)) return undefined;
    const ageMs = this.#ageMs(cached.atMs);
    if (ageMs >= this.#config.AUTH_HARD_MAX_MS) return this.#revalidate(lookup, cached);
    // Background revalidation; when it fails, the cached answer stays until its hard limit.
    if (ageMs >= this.#config.AUTH_FRESH_MS) this.#lookUp(lookup).catch(() => undefined);
    return cached.owner;
  }

  /** Drops a deleted key from the cache. */
  forget(keyId: string): void {
    this.#generation++;
    this.#inFlight.clear();
    for (const [digest, { owner }] of this.#owners.entries()) if (owner.keyId === keyId) this.#owners.delete(digest);
  }

  async #findUnseen(lookup: KeyLookup, address: string): Promise<KeyOwner | undefined> {
    if (!isKey(lookup.apiKey)) return undefined;
    const unknownAtMs = this.#unknownAtMs.get(lookup.digest);
    if (unknownAtMs !== undefined && this.#ageMs(unknownAtMs) < this.#config.AUTH_NEGATIVE_MS) return undefined;
    const load = () => this.#batcher.load(lookup);
    return this.#lookUp(lookup, () => this.#unseenLookups.run(clientNetwork(address), undefined, load));
  }

  /** Stale-if-error: while identity is unreachable, the cached answer serves on for a while. */
  async #revalidate(lookup: KeyLookup, cached: CachedOwner): Promise<KeyOwner | undefined> {
    try {
      return await this.#lookUp(lookup);
    } catch (error) {
      const isUsable = this.#ageMs(cached.atMs) < this.#config.AUTH_STALE_IF_UNREACHABLE_MS;
      if (isUsable && isOutage(error)) return cached.owner;
      throw error;
    }
  }

  /** Single flight per key. Errors are not cached. */
  #lookUp(lookup: KeyLookup, authenticate = () => this.#authenticate(lookup)): Promise<KeyOwner | undefined> {
    const { digest } = lookup;
    const running = this.#inFlight.get(digest);
    if (running !== undefined) return running;
    const generation = this.#generation;
    const started = authenticate()
      .then((owner) => {
        if (generation === this.#generation) this.#cache(digest, owner);
        return owner;
      })
      .finally(() => {
        if (this.#inFlight.get(digest) === started) this.#inFlight.delete(digest);
      });
    this.#inFlight.set(digest, started);
    return started;
  }

  #cache(digest: string, owner: KeyOwner | undefined): void {
    const atMs = this.#clock.now().getTime();
    if (owner === undefined) {
      this.#owners.delete(digest);
      this.#unknownAtMs.set(digest, atMs);
    } else {
      this.#unknownAtMs.delete(digest);
      this.#owners.set(digest, { owner, atMs });
    }
  }

  async #authenticate({ apiKey, requestId }: KeyLookup): Promise<KeyOwner | undefined> {
    const { authenticate } = ApiKeyService.method;
    try {
      return keyOwner((await callUpstream(this.#peer, authenticate, { apiKey }, this.#options(requestId))).message);
    } catch (error) {
      if (error instanceof ConnectError && reasonOf(error) === "API_KEY_INVALID") return undefined;
      throw error;
    }
  }

  async #authenticateAll(lookups: readonly KeyLookup[]): Promise<readonly (KeyOwner | undefined)[]> {
    const [first, ...others] = lookups;
    if (first === undefined) return [];
    if (others.length === 0) return [await this.#authenticate(first)];
    const { authenticateKeys } = ApiKeyService.method;
    const request = { apiKeys: lookups.map(({ apiKey }) => apiKey) };
    const { message } = await callUpstream(this.#peer, authenticateKeys, request, this.#options(first.requestId));
    return message.results.map(({ owner }) => owner && keyOwner(owner));
  }

  #options(requestId: string) {
    return { requestId, timeoutMs: Math.min(lookupMs, this.#config.DEADLINE_MS) };
  }

  #ageMs(atMs: number): number {
    return this.#clock.now().getTime() - atMs;
  }
}

function keyOwner({ keyId, applicationId, orgId, userId, scopes, expiresAt }: AuthenticateResponse): KeyOwner {
  const owner = { keyId, applicationId, orgId, userId, scopes };
  return expiresAt === undefined ? owner : { ...owner, expiresMs: timestampMs(expiresAt) };
}

function isExpired({ expiresMs }: KeyOwner, clock: Clock): boolean {
  return expiresMs !== undefined && expiresMs <= clock.now().getTime();
}

function isOutage(error: unknown): boolean {
  return error instanceof ConnectError && (error.code === Code.Unavailable || error.code === Code.DeadlineExceeded);
}
