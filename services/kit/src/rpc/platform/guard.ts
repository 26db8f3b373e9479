// Checks of platform callers' calls before a service's own interceptors: allowed RPC, limits, deadline, and the tenant,
// which is always verified. Calls of the mesh's processes skip them.

import { getOption, hasOption } from "@bufbuild/protobuf";
import { ConnectError, type UnaryRequest, type UnaryResponse } from "@connectrpc/connect";
import { grpcAnswerBytesMax } from "@ems/proto/limits";
import { deadline_ms } from "@ems/proto/rest/v1/rest";
import { monotonicMs } from "../../clock.ts";
import { forClients } from "../../error-details.ts";
import { deadlineExceeded, failure, forbidden, internalError } from "../../errors.ts";
import type { NewId } from "../../id.ts";
import { assertReadable } from "../../json/assert-readable.ts";
import type { Logger } from "../../log.ts";
import { messageBytes } from "../../message-bytes.ts";
import { countCall } from "../../telemetry/platform-callers.ts";
import type { Tenant } from "../../tenant.ts";
import { chooseRequestId, deadlineKey, platformCallerKey, requestIdHeader, tenantKey } from "../call.ts";
import type { Endpoint, Invoke } from "../endpoints.ts";
import { observeRefusal } from "../interceptors.ts";
import { answerTooLarge } from "../response-size.ts";
import { isPublicRpc } from "./allowed-rpcs.ts";
import type { PlatformCaller, PlatformCallers } from "./callers.ts";
import { CallerLimits } from "./limits.ts";
import { applicationHeader, organizationHeader, readTenant, tenantMissing, userHeader } from "./tenant-headers.ts";
import type { NamedTenant, Tenants } from "./tenants.ts";

/** Default and maximum deadline of a call, unless the RPC has its own; the same as the gateway's default. */
export const deadlineMsDefault = 10_000;

export interface GuardDeps {
  readonly callers: PlatformCallers;
  readonly tenants: Tenants;
  readonly newId: NewId;
  readonly log: Logger;
}

/** Adds the guard before each endpoint. */
export function guarded(endpoints: readonly Endpoint[], deps: GuardDeps): Endpoint[] {
  const limits = new Map([...deps.callers].map(([name, caller]) => [name, new CallerLimits(caller)]));
  return endpoints.map((endpoint) => ({ ...endpoint, invoke: guard(endpoint, limits, deps) }));
}

function guard({ method, invoke }: Endpoint, limits: ReadonlyMap<string, CallerLimits>, deps: GuardDeps): Invoke {
  const { tenants, newId, log } = deps;
  const rpc = `${method.parent.typeName}/${method.name}`;
  const isPublic = isPublicRpc(method);
  const deadlineMsMax = hasOption(method, deadline_ms) ? getOption(method, deadline_ms) : deadlineMsDefault;

  const admit = async (caller: PlatformCaller, request: UnaryRequest, requestId: string) => {
    if (!caller.rpcs.has(rpc)) {
      throw forbidden("CALLER_FORBIDDEN", `${caller.name} may not call ${rpc}`, { rpc });
    }
    const named = readTenant(request.header);
    if (named !== undefined)
      request.contextValues.set(tenantKey, await resolveTenant(caller, named, tenants, requestId));
    else if (isPublic) throw tenantMissing(applicationHeader);
    // Checks that REST's reader performs; internal RPCs have no other reader.
    assertReadable(method.input, request.message);
  };

  return async (request) => {
    const caller = request.contextValues.get(platformCallerKey);
    const own = caller && limits.get(caller.name);
    if (caller === undefined || own === undefined) return invoke(request);
    const startedMs = performance.now();
    const requestId = chooseRequestId(request.header.get(requestIdHeader), newId);
    request.header.set(requestIdHeader, requestId);
    const headers: Record<string, string> = { [requestIdHeader]: requestId };
    let isAdmitted = false;
    let failed: ConnectError | undefined;
    try {
      Object.assign(headers, own.begin());
      try {
        return await withDeadline(request, deadlineMsMax, async (bounded) => {
          await admit(caller, bounded, requestId);
          isAdmitted = true;
          const response = await invoke(bounded);
          if (messageBytes(method.output, response.message) > grpcAnswerBytesMax) {
            throw answerTooLarge(method, response.message, grpcAnswerBytesMax);
          }
          return withHeaders(response, headers);
        });
      } finally {
        own.end();
      }
    } catch (cause) {
      failed = forClients(cause instanceof ConnectError ? cause : internalError(cause), method.input);
      for (const [name, value] of Object.entries(headers)) failed.metadata.set(name, value);
      if (!isAdmitted) observeRefusal(log, request, failed, performance.now() - startedMs);
      throw failed;
    } finally {
      countCall(caller.name, failed);
    }
  };
}

/** Resolves the tenant in the headers; throws unless it exists and the caller may act for it. */
async function resolveTenant(
  { name, organizations, applications }: PlatformCaller,
  named: NamedTenant,
  tenants: Tenants,
  requestId: string,
): Promise<Tenant> {
  const { applicationId, userId, organizationId } = named;
  const isLimited = !organizations.includes("*");
  // The same error before the look-up and after it, so that callers do not learn if a tenant exists.
  const denied = (header: string) =>
    forbidden("TENANT_FORBIDDEN", `${name} may not act for the tenant in ${header}`, { header });
  if (organizationId !== undefined && isLimited && !organizations.includes(organizationId)) {
    throw denied(organizationHeader);
  }
  if (applications !== undefined && !applications.includes(applicationId)) throw denied(applicationHeader);
  const { organizationId: orgId, hasUser } = await tenants.find(named, requestId);
  if (orgId === undefined) {
    if (isLimited && organizationId === undefined) throw denied(applicationHeader);
    const owner = organizationId === undefined ? "" : ` of the organization that ${organizationHeader} names`;
    throw unknown(applicationHeader, `${applicationHeader} names no application${owner}`);
  }
  if (isLimited && !organizations.includes(orgId)) throw denied(applicationHeader);
  if (!hasUser) throw unknown(userHeader, `${userHeader} names no user of the application's organization`);
  return { orgId, applicationId, userId };
}

function unknown(header: string, message: string): ConnectError {
  return failure("TENANT_UNKNOWN", message, { metadata: { header } });
}

/** Runs the call under the caller's deadline, or under `deadlineMsMax` if it has none or a later one. */
async function withDeadline<T>(
  request: UnaryRequest,
  deadlineMsMax: number,
  run: (request: UnaryRequest) => Promise<T>,
): Promise<T> {
  const [ownMs, latestMs] = [request.contextValues.get(deadlineKey), monotonicMs() + deadlineMsMax];
  // The transport already enforces the caller's deadline if it is earlier.
  if (ownMs !== undefined && ownMs <= latestMs) return run(request);
  request.contextValues.set(deadlineKey, latestMs);
  const controller = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = deadlineExceeded();
    controller.abort(error);
    reject(error);
  }, deadlineMsMax);
  const { stream, requestMethod, url, contextValues, message, header, service, method } = request;
  const signal = AbortSignal.any([request.signal, controller.signal]);
  const bounded = { stream, requestMethod, url, contextValues, message, header, service, method, signal };
  try {
    return await Promise.race([run(bounded), late]);
  } finally {
    clearTimeout(timer);
  }
}

function withHeaders(response: UnaryResponse, headers: Record<string, string>): UnaryResponse {
  const header = new Headers(response.header);
  for (const [name, value] of Object.entries(headers)) header.set(name, value);
  return { ...response, header };
}
