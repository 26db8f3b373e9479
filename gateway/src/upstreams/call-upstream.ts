// The services behind the gateway: which process answers for a service, and how it is asked.

import type { DescMessage, DescMethodUnary, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { idempotencyKeyHeader, onBehalfOf, replayedHeader, requestIdHeader } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";

/** The process that answers for a service: the middle of its package's name, `ems.<process>.v1`. */
function processOf(service: DescService): string {
  const [, name] = service.file.proto.package.split(".");
  if (name === undefined) throw new Error(`${service.typeName}: a package is named ems.<service>.v1`);
  return name;
}

/** On whose behalf, as part of which request, and for how long at most. */
export interface Asking {
  readonly tenant?: Tenant | undefined;
  readonly requestId: string;
  readonly timeoutMs: number;
  /** The client's own name for a request that it may repeat. */
  readonly idempotencyKey?: string | undefined;
  /** Ends the asking. */
  readonly signal?: AbortSignal | undefined;
}

export interface Answered<O extends DescMessage> {
  readonly message: MessageShape<O>;
  /** Whether this is an answer that was given before. */
  readonly isReplayed: boolean;
}

/** Asks the service that `method` belongs to. */
export async function ask<I extends DescMessage, O extends DescMessage>(
  peer: (name: string) => Transport,
  method: DescMethodUnary<I, O>,
  message: MessageInitShape<I>,
  { tenant, requestId, timeoutMs, idempotencyKey, signal }: Asking,
): Promise<Answered<O>> {
  const headers = {
    [requestIdHeader]: requestId,
    ...(idempotencyKey !== undefined && { [idempotencyKeyHeader]: idempotencyKey }),
  };
  const { message: answer, header } = await peer(processOf(method.parent)).unary<I, O>(
    method,
    signal,
    timeoutMs,
    headers,
    message,
    onBehalfOf(tenant),
  );
  return { message: answer, isReplayed: header.has(replayedHeader) };
}
