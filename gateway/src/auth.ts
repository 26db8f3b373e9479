// Who is asking: the two headers of a request become a tenant. Identity knows the keys; what it said is kept for
// seconds, so that a read costs no second hop and a deleted key is soon forgotten.

import { hash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import type { Clock } from "@ems/kit/clock";
import { Code, ConnectError, forbidden, unauthenticated } from "@ems/kit/errors";
import type { Tenant } from "@ems/kit/tenant";
import { ApiKeyService, AuthenticateRequestSchema } from "@ems/proto/identity/v1/api_key_service";
import { LRUCache } from "lru-cache";
import type { GatewayConfig } from "./config.ts";
import { FailureLimit } from "./rate-limit.ts";
import { countAuthentication } from "./telemetry.ts";
import { ask } from "./upstreams.ts";

/** What a request shows of itself. */
export interface Credentials {
  readonly apiKey: string | undefined;
  readonly applicationId: string | undefined;
  /** The client's address. */
  readonly address: string;
  readonly requestId: string;
}

/** Whom a key stands for. */
export interface KeyOwner extends Tenant {
  readonly keyId: string;
}

/** What identity said of a key, and when; no owner means that there is no such key. */
interface Known {
  readonly owner: KeyOwner | undefined;
  readonly atMs: number;
}

/** A look-up that takes longer than this is an outage for whoever waits. */
const lookUpMs = 3_000;

export class Authenticator {
  readonly #config: GatewayConfig;
  readonly #clock: Clock;
  readonly #peer: (name: string) => Transport;
  readonly #known: LRUCache<string, Known>;
  readonly #asking = new Map<string, Promise<KeyOwner | undefined>>();
  readonly #failures: FailureLimit;
  /** Grows when a key is forgotten: an answer that was asked for before that is not kept. */
  #generation = 0;

  constructor(config: GatewayConfig, clock: Clock, peer: (name: string) => Transport) {
    this.#config = config;
    this.#clock = clock;
    this.#peer = peer;
    this.#known = new LRUCache({ max: config.AUTH_CACHE_KEYS_MAX });
    this.#failures = new FailureLimit(config);
  }

  /**
   * The tenant that the credentials stand for. Throws unauthenticated without both headers or with an unknown key,
   * forbidden when the key belongs to another application than the header names, unavailable when identity cannot say.
   * Where the application is optional, its absent header stands for the key's own application.
   */
  async tenant(credentials: Credentials, { isApplicationOptional = false } = {}): Promise<KeyOwner> {
    try {
      const owner = await this.#owner(credentials, isApplicationOptional);
      countAuthentication({ result: "valid" });
      return owner;
    } catch (error) {
      countAuthentication({ result: credentials.apiKey ? resultOf(error) : "missing" });
      throw error;
    }
  }

  async #owner(credentials: Credentials, isApplicationOptional: boolean): Promise<KeyOwner> {
    const { apiKey, applicationId, address, requestId } = credentials;
    if (!apiKey || !(applicationId || isApplicationOptional)) throw unauthenticated();
    const owner = this.#fresh(apiKey, requestId) ?? (await this.#lookedUp(apiKey, address, requestId));
    if (!applicationId) return { ...owner, isApplicationImplied: true };
    if (owner.applicationId !== applicationId.toLowerCase()) throw forbidden();
    return owner;
  }

  /** Forgets a deleted key at once. */
  forget(keyId: string): void {
    this.#generation++;
    this.#asking.clear();
    for (const [digest, { owner }] of this.#known.entries()) if (owner?.keyId === keyId) this.#known.delete(digest);
  }

  /** The owner as far as it is known well enough to go on; asks again in the background when that grows old. */
  #fresh(apiKey: string, requestId: string): KeyOwner | undefined {
    const digest = digestOf(apiKey);
    const known = this.#known.get(digest);
    if (known?.owner === undefined) return undefined;
    const ageMs = this.#ageMs(known);
    if (ageMs >= this.#config.AUTH_HARD_MAX_MS) return undefined;
    // A background look-up that fails leaves things as they are; the next request that must know asks for itself.
    if (ageMs >= this.#config.AUTH_FRESH_MS) this.#ask(digest, apiKey, requestId).catch(() => undefined);
    return known.owner;
  }

  async #lookedUp(apiKey: string, address: string, requestId: string): Promise<KeyOwner> {
    this.#failures.check(address);
    const digest = digestOf(apiKey);
    const known = this.#known.get(digest);
    const isKnownBad =
      known !== undefined && known.owner === undefined && this.#ageMs(known) < this.#config.AUTH_NEGATIVE_MS;
    const owner = isKnownBad ? undefined : await this.#askOrStale(digest, apiKey, requestId, known);
    if (owner !== undefined) return owner;
    this.#failures.count(address);
    throw unauthenticated();
  }

  async #askOrStale(digest: string, apiKey: string, requestId: string, known: Known | undefined) {
    try {
      return await this.#ask(digest, apiKey, requestId);
    } catch (error) {
      const isStale = known?.owner !== undefined && this.#ageMs(known) < this.#config.AUTH_STALE_IF_UNREACHABLE_MS;
      if (isStale && isOutage(error)) return known.owner;
      throw error;
    }
  }

  /** Asks identity, once at a time for a key. Errors are never kept. */
  #ask(digest: string, apiKey: string, requestId: string): Promise<KeyOwner | undefined> {
    const running = this.#asking.get(digest);
    if (running !== undefined) return running;
    const generation = this.#generation;
    const asking = this.#askIdentity(apiKey, requestId)
      .then((owner) => {
        if (generation === this.#generation) this.#known.set(digest, { owner, atMs: this.#clock.now().getTime() });
        return owner;
      })
      .finally(() => {
        if (this.#asking.get(digest) === asking) this.#asking.delete(digest);
      });
    this.#asking.set(digest, asking);
    return asking;
  }

  async #askIdentity(apiKey: string, requestId: string): Promise<KeyOwner | undefined> {
    const message = create(AuthenticateRequestSchema, { apiKey: apiKey.slice(0, 512) });
    const asking = { requestId, timeoutMs: Math.min(lookUpMs, this.#config.DEADLINE_MS) };
    try {
      const answered = await ask(this.#peer, ApiKeyService.method.authenticate, message, asking);
      const { keyId, applicationId, orgId, userId } = answered.message;
      return { keyId, applicationId, orgId, userId };
    } catch (error) {
      if (error instanceof ConnectError && error.code === Code.Unauthenticated) return undefined;
      throw error;
    }
  }

  #ageMs({ atMs }: Known): number {
    return this.#clock.now().getTime() - atMs;
  }
}

/** Keys are remembered by digest: the gateway's memory holds no key longer than its request. */
function digestOf(apiKey: string): string {
  return hash("sha256", apiKey, "base64url");
}

/** What came of credentials that were refused. */
function resultOf(error: unknown): string {
  switch (error instanceof ConnectError ? error.code : undefined) {
    case Code.Unauthenticated:
      return "unknown";
    case Code.PermissionDenied:
      return "forbidden";
    case Code.ResourceExhausted:
      return "limited";
    default:
      return "unavailable";
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof ConnectError && (error.code === Code.Unavailable || error.code === Code.DeadlineExceeded);
}
