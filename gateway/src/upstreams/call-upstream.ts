// Calls of the services behind the gateway.

import type { DescMessage, DescMethodUnary, DescService, MessageInitShape } from "@bufbuild/protobuf";
import type { Transport, UnaryResponse } from "@connectrpc/connect";
import { onBehalfOf, requestIdHeader } from "@ems/kit/rpc/call";
import { type IfMatch, ifMatchHeader, writeIfMatch } from "@ems/kit/rpc/etag";
import { idempotencyKeyHeader, writeIdempotencyKey } from "@ems/kit/rpc/idempotency-key";
import type { Tenant } from "@ems/kit/tenant";

/** The transport to a service, by the service's name. */
export type Peer = (name: string) => Transport;

export interface UpstreamRequest {
  readonly tenant?: Tenant | undefined;
  readonly requestId: string;
  readonly timeoutMs: number;
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: IfMatch | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Calls the service that `method` belongs to. */
export function callUpstream<I extends DescMessage, O extends DescMessage>(
  peer: Peer,
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
  { tenant, requestId, timeoutMs, idempotencyKey, ifMatch, signal }: UpstreamRequest,
): Promise<UnaryResponse<I, O>> {
  const headers = {
    [requestIdHeader]: requestId,
    ...(idempotencyKey !== undefined && { [idempotencyKeyHeader]: writeIdempotencyKey(idempotencyKey) }),
    ...(ifMatch !== undefined && { [ifMatchHeader]: writeIfMatch(ifMatch) }),
  };
  return peer(serviceName(method.parent)).unary<I, O>(method, signal, timeoutMs, headers, input, onBehalfOf(tenant));
}

/** The middle of the package's name, `ems.<service>.v1`. */
function serviceName({ file }: DescService): string {
  const name = file.proto.package;
  return name.slice(name.indexOf(".") + 1, name.lastIndexOf("."));
}
