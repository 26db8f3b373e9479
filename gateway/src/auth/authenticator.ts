// Who is asking: the two headers of a request become a tenant. Identity knows the keys; what it said is kept for
// seconds, so that a read costs no second hop and a deleted key is soon forgotten.

import { hash } from "node:crypto";
import type { Transport } from "@connectrpc/connect";
import { isKey } from "@ems/kit/api-key";
import type { Clock } from "@ems/kit/clock";
import { Code, ConnectError, forbidden, unauthenticated, unavailable } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { Tenant } from "@ems/kit/tenant";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { LRUCache } from "lru-cache";
import type { GatewayConfig } from "../config.ts";
import { countAuthentication } from "../telemetry.ts";
import { ask } from "../upstreams/call-upstream.ts";
import { clientNetwork } from "./client-address.ts";
import { AuthFailures } from "./failure-delay.ts";
import { Batches } from "./lookup-batcher.ts";

/** What a request shows of itself. */
export interface Credentials {
  readonly apiKey: string | undefined;
  readonly applicationId: string | undefined;
  /** The client's address. */
  readonly address: string;
  readonly requestId: string;
  /** Aborted when the client goes away. */
  readonly gone?: () => AbortSignal;
}

/** Whom a key stands for. */
export interface KeyOwner extends Tenant {
  readonly keyId: string;
}

/** What identity said of a key, and when. */
interface Known {
  readonly owner: KeyOwner;
  readonly atMs: number;
}

/** A look-up as somebody asks for it. */
interface LookUp {
  readonly digest: string;
  readonly apiKey: string;
  readonly requestId: string;
}

/** A look-up that takes longer than this is an outage for whoever waits. */
const lookUpMs = 3_000;
/** Keys never seen: calls of identity at one time, and keys of one. A flood of them costs no more than that. */
const batch = { callsMax: 2, keysMax: 100 };
/** Unknown keys that are remembered: apart from the others, which a flood of these must not push out. */
const unknownMax = 10_000;

export class Authenticator {
  readonly #config: GatewayConfig;
  readonly #clock: Clock;
  readonly #peer: (name: string) => Transport;
  readonly #known: LRUCache<string, Known>;
  /** When identity said that there is no such key. */
  readonly #unknown = new LRUCache<string, number>({ max: unknownMax });
  readonly #asking = new Map<string, Promise<KeyOwner | undefined>>();
  /** Anybody can make up keys that look like ours: those never seen have a share of identity, networks by turns. */
  readonly #lookUps: TenantConcurrencyLimiter;
  readonly #batches: Batches<LookUp, KeyOwner | undefined>;
  readonly #failures: AuthFailures;
  /** Grows when a key is forgotten: an answer that was asked for before that is not kept. */
  #generation = 0;

  constructor(config: GatewayConfig, clock: Clock, peer: (name: string) => Transport) {
    this.#config = config;
    this.#clock = clock;
    this.#peer = peer;
    this.#known = new LRUCache({ max: config.AUTH_CACHE_KEYS_MAX });
    this.#failures = new AuthFailures(config);
    this.#lookUps = new TenantConcurrencyLimiter({
      max: config.AUTH_LOOK_UPS_MAX,
      queueMaxPerKey: config.AUTH_LOOK_UPS_WAITING_MAX,
      queueMax: config.AUTH_LOOK_UPS_WAITING_MAX,
      queueTimeoutMs: lookUpMs,
      reject: () => unavailable("Too many unknown API keys at once", undefined, 1_000),
    });
    const call = (lookUps: readonly LookUp[]) => this.#askForAll(lookUps);
    this.#batches = new Batches({ ...batch, call });
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
    const { apiKey, applicationId, address, gone } = credentials;
    if (!apiKey || !(applicationId || isApplicationOptional)) throw unauthenticated();
    const network = clientNetwork(address);
    const owner = isKey(apiKey) ? await this.#ownerOf({ ...credentials, apiKey }, network) : undefined;
    if (owner === undefined) {
      await this.#failures.slowDown(network, gone?.());
      throw unauthenticated();
    }
    if (!applicationId) return { ...owner, isApplicationImplied: true };
    if (owner.applicationId !== applicationId.toLowerCase()) throw forbidden();
    return owner;
  }

  /** Whose key it is, as far as that is known well enough to go on; asks again in the background when that grows old. */
  async #ownerOf({ apiKey, requestId }: Credentials & { apiKey: string }, network: string) {
    const lookUp = { digest: digestOf(apiKey), apiKey, requestId };
    const known = this.#known.get(lookUp.digest);
    if (known === undefined) return this.#ownerOfUnseen(lookUp, network);
    const ageMs = this.#ageMs(known.atMs);
    if (ageMs >= this.#config.AUTH_HARD_MAX_MS) return this.#askOrStale(lookUp, known);
    // A background look-up that fails leaves things as they are; the next request that must know asks for itself.
    if (ageMs >= this.#config.AUTH_FRESH_MS) this.#ask(lookUp).catch(() => undefined);
    return known.owner;
  }

  async #ownerOfUnseen(lookUp: LookUp, network: string): Promise<KeyOwner | undefined> {
    const saidAtMs = this.#unknown.get(lookUp.digest);
    if (saidAtMs !== undefined && this.#ageMs(saidAtMs) < this.#config.AUTH_NEGATIVE_MS) return undefined;
    return this.#ask(lookUp, () => this.#lookUps.run(network, undefined, () => this.#batches.load(lookUp)));
  }

  /** Forgets a deleted key at once. */
  forget(keyId: string): void {
    this.#generation++;
    this.#asking.clear();
    for (const [digest, { owner }] of this.#known.entries()) if (owner.keyId === keyId) this.#known.delete(digest);
  }

  async #askOrStale(lookUp: LookUp, known: Known): Promise<KeyOwner | undefined> {
    try {
      return await this.#ask(lookUp);
    } catch (error) {
      const isStale = this.#ageMs(known.atMs) < this.#config.AUTH_STALE_IF_UNREACHABLE_MS;
      if (isStale && isOutage(error)) return known.owner;
      throw error;
    }
  }

  /** Asks identity, once at a time for a key. Errors are never kept. */
  #ask(lookUp: LookUp, askIdentity = () => this.#askIdentity(lookUp)): Promise<KeyOwner | undefined> {
    const { digest } = lookUp;
    const running = this.#asking.get(digest);
    if (running !== undefined) return running;
    const generation = this.#generation;
    const asking = askIdentity()
      .then((owner) => {
        if (generation === this.#generation) this.#keep(digest, owner);
        return owner;
      })
      .finally(() => {
        if (this.#asking.get(digest) === asking) this.#asking.delete(digest);
      });
    this.#asking.set(digest, asking);
    return asking;
  }

  #keep(digest: string, owner: KeyOwner | undefined): void {
    const atMs = this.#clock.now().getTime();
    if (owner === undefined) {
      this.#known.delete(digest);
      this.#unknown.set(digest, atMs);
    } else {
      this.#unknown.delete(digest);
      this.#known.set(digest, { owner, atMs });
    }
  }

  async #askIdentity({ apiKey, requestId }: LookUp): Promise<KeyOwner | undefined> {
    try {
      const asking = { requestId, timeoutMs: this.#timeoutMs };
      return ownerOf((await ask(this.#peer, ApiKeyService.method.authenticate, { apiKey }, asking)).message);
    } catch (error) {
      if (error instanceof ConnectError && error.code === Code.Unauthenticated) return undefined;
      throw error;
    }
  }

  async #askForAll(lookUps: readonly LookUp[]): Promise<readonly (KeyOwner | undefined)[]> {
    const [first, ...others] = lookUps;
    if (first === undefined) return [];
    if (others.length === 0) return [await this.#askIdentity(first)];
    const request = { apiKeys: lookUps.map(({ apiKey }) => apiKey) };
    const asking = { requestId: first.requestId, timeoutMs: this.#timeoutMs };
    const { message } = await ask(this.#peer, ApiKeyService.method.authenticateKeys, request, asking);
    return message.results.map(({ owner }) => owner && ownerOf(owner));
  }

  get #timeoutMs(): number {
    return Math.min(lookUpMs, this.#config.DEADLINE_MS);
  }

  #ageMs(atMs: number): number {
    return this.#clock.now().getTime() - atMs;
  }
}

function ownerOf({ keyId, applicationId, orgId, userId }: KeyOwner): KeyOwner {
  return { keyId, applicationId, orgId, userId };
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
