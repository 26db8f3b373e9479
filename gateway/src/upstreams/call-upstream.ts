// Calls of the services behind the gateway.

import type { DescMessage, DescMethodUnary, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { idempotencyKeyHeader, onBehalfOf, replayedHeader, requestIdHeader } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";

/** The transport to a service, by the service's name. */
export type Peer = (name: string) => Transport;

export interface UpstreamRequest {
  readonly tenant?: Tenant | undefined;
  readonly requestId: string;
  readonly timeoutMs: number;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface UpstreamResponse<O extends DescMessage> {
  readonly message: MessageShape<O>;
  /** Whether the service replayed the stored response of an earlier request. */
  readonly isReplayed: boolean;
}

/** Calls the service that `method` belongs to. */
export async function callUpstream<I extends DescMessage, O extends DescMessage>(
  peer: Peer,
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
  { tenant, requestId, timeoutMs, idempotencyKey, signal }: UpstreamRequest,
): Promise<UpstreamResponse<O>> {
  const headers = {
    [requestIdHeader]: requestId,
    ...(idempotencyKey !== undefined && { [idempotencyKeyHeader]: idempotencyKey }),
  };
  const transport = peer(serviceName(method.parent));
  const { message, header } = await transport.unary<I, O>(
    method,
    signal,
    timeoutMs,
    headers,
    input,
    onBehalfOf(tenant),
  );
  return { message, isReplayed: header.has(replayedHeader) };
}

/** The middle of the package's name, `ems.<service>.v1`. */
function serviceName(service: DescService): string {
  const [, name] = service.file.proto.package.split(".");
  if (name === undefined) throw new Error(`${service.typeName}: the package must be named ems.<service>.v1`);
  return name;
}
