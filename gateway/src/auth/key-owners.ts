// Cached lookup of API key owners in identity.

import { hash } from "node:crypto";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { isKey } from "@ems/kit/api-key";
import type { Clock } from "@ems/kit/clock";
import { ConnectError, getReason, overloaded } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { LookupBatcher } from "@ems/kit/limits/lookup-batcher";
import { ApiKeyService, type AuthenticateResponse } from "@ems/proto/identity/v1/api_key_service";
import type { GatewayConfig } from "../config.ts";
import { callUpstream, type Peer } from "../upstreams/call-upstream.ts";
import { clientNetwork } from "./client-address.ts";
import type { Principal } from "./principal.ts";
import { RevalidatedCache } from "./revalidated-cache.ts";

export interface KeyOwner extends Principal {
  readonly keyId: string;
}

interface KeyLookup {
  readonly apiKey: string;
  readonly requestId: string;
}

/** Timeout of a lookup. A request that waits longer treats identity as unavailable. */
export const lookupMs = 3_000;
/** Limits the load that a flood of unseen keys puts on identity. */
const batchLimits = { callsMax: 2, keysMax: 100 };

export class KeyOwners {
  readonly #config: GatewayConfig;
  readonly #clock: Clock;
  readonly #peer: Peer;
  /** Owners by the digest of their key, so that no plaintext key outlives its request. */
  readonly #owners: RevalidatedCache<KeyOwner>;
  /** Anyone can generate well-formed keys, so lookups of unseen keys are limited per client network, round robin. */
  readonly #unseenLookups: TenantConcurrencyLimiter;
  readonly #batcher: LookupBatcher<KeyLookup, KeyOwner | undefined>;

  constructor(config: GatewayConfig, clock: Clock, peer: Peer) {
    this.#config = config;
    this.#clock = clock;
    this.#peer = peer;
    this.#owners = new RevalidatedCache(config, clock);
    this.#unseenLookups = new TenantConcurrencyLimiter({
      max: config.AUTH_LOOK_UPS_MAX,
      queueMaxPerKey: config.AUTH_LOOK_UPS_WAITING_MAX,
      queueMax: config.AUTH_LOOK_UPS_WAITING_MAX,
      queueTimeoutMs: lookupMs,
      reject: () => overloaded("Too many unknown API keys at once; retry later"),
    });
    this.#batcher = new LookupBatcher({ ...batchLimits, call: (lookups) => this.#authenticateAll(lookups) });
  }

  /**
   * Returns the owner of a key; undefined for an unknown, expired or malformed key. Throws unavailable when identity
   * does not respond.
   */
  async find(apiKey: string, address: string, requestId: string): Promise<KeyOwner | undefined> {
    const digest = hash("sha256", apiKey, "base64url");
    if (!(this.#owners.has(digest) || isKey(apiKey))) return undefined;
    const lookup = { apiKey, requestId };
    const owner = await this.#owners.find(
      digest,
      () => this.#authenticate(lookup),
      () => this.#unseenLookups.run(clientNetwork(address), undefined, () => this.#batcher.load(lookup)),
    );
    return owner === undefined || isExpired(owner, this.#clock) ? undefined : owner;
  }

  /** Removes a deleted key from the cache. */
  forget(keyId: string): void {
    this.#owners.forget((owner) => owner.keyId === keyId);
  }

  async #authenticate({ apiKey, requestId }: KeyLookup): Promise<KeyOwner | undefined> {
    const { authenticate } = ApiKeyService.method;
    try {
      return keyOwner((await callUpstream(this.#peer, authenticate, { apiKey }, this.#options(requestId))).message);
    } catch (error) {
      if (error instanceof ConnectError && getReason(error) === "API_KEY_INVALID") return undefined;
      throw error;
    }
  }

  async #authenticateAll(lookups: readonly KeyLookup[]): Promise<readonly (KeyOwner | undefined)[]> {
    const [first, ...rest] = lookups;
    if (first === undefined) return [];
    if (rest.length === 0) return [await this.#authenticate(first)];
    const { authenticateKeys } = ApiKeyService.method;
    const request = { apiKeys: lookups.map(({ apiKey }) => apiKey) };
    const { message } = await callUpstream(this.#peer, authenticateKeys, request, this.#options(first.requestId));
    return message.results.map(({ owner }) => owner && keyOwner(owner));
  }

  #options(requestId: string) {
    return { requestId, timeoutMs: Math.min(lookupMs, this.#config.DEADLINE_MS) };
  }
}

function keyOwner({ keyId, applicationId, orgId, userId, scopes, expiresAt }: AuthenticateResponse): KeyOwner {
  const owner = { keyId, applicationId, orgId, userId, scopes };
  return expiresAt === undefined ? owner : { ...owner, expiresMs: timestampMs(expiresAt) };
}

function isExpired({ expiresMs }: KeyOwner, clock: Clock): boolean {
  return expiresMs !== undefined && expiresMs <= clock.now().getTime();
}
