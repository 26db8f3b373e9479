// Steps of every request on both ports: load shedding, authentication, rate limits, body, RPC.

import type { EventEmitter } from "node:events";
import type {
  DescMessage,
  DescMethod,
  DescMethodUnary,
  Message,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { UnaryResponse } from "@connectrpc/connect";
import type { Clock } from "@ems/kit/clock";
import { unauthenticated } from "@ems/kit/errors";
import type { Logger } from "@ems/kit/log";
import type { IfMatch } from "@ems/kit/rpc/etag";
import { watchdog } from "@ems/kit/telemetry/watchdog";
import {
  ApiKeyService,
  type CreateApiKeyRequest,
  type DeleteApiKeyRequest,
} from "@ems/proto/identity/v1/api_key_service";
import { type CreateInvitationRequest, InvitationService } from "@ems/proto/identity/v1/invitation_service";
import {
  type DeleteMemberRequest,
  MemberService,
  type UpdateMemberRequest,
} from "@ems/proto/identity/v1/member_service";
import { Authenticator, type Credentials } from "./auth/authenticator.ts";
import { KeyOwners } from "./auth/key-owners.ts";
import { Members } from "./auth/members.ts";
import type { Principal } from "./auth/principal.ts";
import { checkGrant, checkRoleGrant, checkScope, withLackingScopes } from "./auth/scopes.ts";
import { Budgets, type RequestBudget } from "./budget/index.ts";
import type { GatewayConfig } from "./config.ts";
import type { Route } from "./rest/routes.ts";
import { countAuthentication } from "./telemetry.ts";
import { callUpstream, type Peer, protectedPeers } from "./upstreams/call-upstream.ts";

/** Request admitted by its headers. */
export interface AdmittedRequest {
  readonly owner: Principal;
  readonly budget: RequestBudget;
  /** Rejects if the caller may no longer call the RPC, for responses that take long. */
  readonly recheck: () => Promise<void>;
}

/** Parts of a route that decide on admission. */
export interface AdmittingRoute {
  readonly isApplicationOptional: boolean;
  /** RPC for the scope check; undefined for a sign-in, which every key may do. */
  readonly method: DescMethod | undefined;
}

/** Request whose headers have arrived. */
export interface ArrivingRequest {
  readonly credentials: Credentials;
  readonly request: { readonly complete: boolean };
  readonly response: Pick<EventEmitter, "once"> & { readonly closed?: boolean };
  /** Called with the rate-limit headers after every change. */
  readonly charged: (headers: Record<string, string>) => void;
}

export interface CallOptions {
  readonly requestId: string;
  /** The client's own deadline, if it is shorter. */
  readonly timeoutMs?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Versions that the request may change. */
  readonly ifMatch?: IfMatch | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Call of an RPC that only the gateway calls. */
export interface InternalCall {
  readonly requestId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface PipelineDeps {
  readonly log: Logger;
  readonly clock: Clock;
  readonly peer: Peer;
}

export class Pipeline {
  readonly keyOwners: KeyOwners;
  readonly members: Members;
  readonly budgets: Budgets;
  readonly #config: GatewayConfig;
  readonly #peer: Peer;
  /** Peer that bypasses the bulkheads and circuit breakers. */
  readonly #plainPeer: Peer;
  readonly #authenticator: Authenticator;

  constructor(config: GatewayConfig, { log, clock, peer }: PipelineDeps) {
    this.#config = config;
    this.#plainPeer = peer;
    this.#peer = protectedPeers(peer, config, log);
    this.keyOwners = new KeyOwners(config, clock, this.#peer);
    this.members = new Members(config, clock, this.#peer);
    this.#authenticator = new Authenticator(config, this.keyOwners, this.members);
    this.budgets = new Budgets(config, clock);
  }

  /** Admits or rejects a request by its headers, before the body is read. */
  async admit(
    route: AdmittingRoute,
    { credentials, request, response, charged }: ArrivingRequest,
  ): Promise<AdmittedRequest> {
    this.budgets.checkProcess();
    const owner = await this.#authenticator.tenant(credentials, route);
    const { work } = watchdog;
    if (work !== undefined) work.applicationId = owner.applicationId;
    const budget = this.budgets.open(owner, charged);
    budget.charge();
    if (route.method !== undefined) checkScope(owner, route.method);
    await budget.admit(request, response);
    const recheck = async () => {
      const current = await this.#authenticator.tenant(credentials, route);
      if (route.method !== undefined) checkScope(current, route.method);
    };
    return { owner, budget, recheck };
  }

  /** Calls the RPC of the route within its own rate limit; `message` is the RPC's input. */
  async call(
    route: Pick<Route, "method" | "rateLimit" | "deadlineMs">,
    { owner, budget }: AdmittedRequest,
    message: Message,
    { timeoutMs = Number.POSITIVE_INFINITY, ...options }: CallOptions,
  ): Promise<UnaryResponse> {
    const { method, deadlineMs } = route;
    checkGiven(owner, method, message);
    budget.chargeCall(route, message);
    const called = callUpstream(this.#peer, method, message, {
      ...options,
      tenant: withLackingScopes(owner, method),
      timeoutMs: Math.min(timeoutMs, deadlineMs ?? this.#config.DEADLINE_MS),
    });
    const response = await watchdog.wait(called);
    budget.chargeResponse(route, response.message);
    this.#forget(method, message);
    return response;
  }

  /**
   * Calls an RPC for a stream. Such calls are long, limited in number and retried with backoff, so they do not use the
   * places of requests.
   */
  async callForStream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    owner: Principal,
    message: MessageInitShape<I>,
    options: InternalCall,
  ): Promise<MessageShape<O>> {
    return (await callUpstream(this.#plainPeer, method, message, { ...options, tenant: owner })).message;
  }

  /** Calls an RPC for the console, on behalf of `owner`. */
  async callForConsole<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    owner: Principal,
    message: MessageInitShape<I>,
    requestId: string,
  ): Promise<MessageShape<O>> {
    const { DEADLINE_MS: timeoutMs } = this.#config;
    return (await callUpstream(this.#peer, method, message, { requestId, timeoutMs, tenant: owner })).message;
  }

  /** Calls an RPC of identity for a sign-in, before the caller is authenticated. */
  async callIdentity<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    message: MessageInitShape<I>,
    requestId: string,
  ): Promise<MessageShape<O>> {
    const { DEADLINE_MS: timeoutMs } = this.#config;
    return (await callUpstream(this.#peer, method, message, { requestId, timeoutMs })).message;
  }

  /** Throws the error for an unknown key, and counts a failed authentication: a sign-in had no valid key. */
  async refuse(address: string, disconnected: AbortSignal): Promise<never> {
    countAuthentication({ result: "unknown" });
    return this.#authenticator.refuse(address, disconnected);
  }

  /** Rejects if the key no longer belongs to `owner`. */
  async checkKey(owner: Principal, { apiKey, address, requestId }: Credentials): Promise<void> {
    const found = await this.keyOwners.find(apiKey ?? "", address, requestId);
    if (found?.keyId !== owner.keyId) throw unauthenticated();
  }

  /** Invalidates cached keys and members after a change. */
  #forget(method: DescMethod, message: Message): void {
    const { updateMember, deleteMember } = MemberService.method;
    if (method === ApiKeyService.method.deleteApiKey) this.keyOwners.forget((message as DeleteApiKeyRequest).keyId);
    if (method === updateMember || method === deleteMember) this.members.forget((message as DeleteMemberRequest).id);
  }

  stop(): void {
    this.budgets.stop();
  }
}

/** Prevents privilege escalation: callers cannot grant permissions that they lack. */
function checkGiven(owner: Principal, method: DescMethod, message: Message): void {
  const { updateMember } = MemberService.method;
  if (method === ApiKeyService.method.createApiKey) checkGrant(owner, message as CreateApiKeyRequest);
  if (method === updateMember || method === InvitationService.method.createInvitation)
    checkRoleGrant(owner, (message as UpdateMemberRequest | CreateInvitationRequest).role);
}
