// The services behind the gateway: which protos are public, and which service answers for a proto package.

import type { DescMessage, DescMethodUnary, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { requestIdHeader } from "@ems/kit/rpc/call";
import { type Tenant, tenantHeaders } from "@ems/kit/tenant";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { ApplicationService } from "@ems/proto/identity/v1/application_service";
import { UserService } from "@ems/proto/identity/v1/user_service";

/** Every service of the mesh; only RPCs with a google.api.http annotation become routes. */
export const services: readonly DescService[] = [ApiKeyService, ApplicationService, UserService, TopicService];

/** The process that answers for a service: the middle of its package's name, `ems.<process>.v1`. */
export function processOf(service: DescService): string {
  const [, name] = service.file.proto.package.split(".");
  if (name === undefined) throw new Error(`${service.typeName}: a package is named ems.<service>.v1`);
  return name;
}

/** On whose behalf, as part of which request, and for how long at most. */
export interface Asking {
  readonly tenant?: Tenant | undefined;
  readonly requestId: string;
  readonly timeoutMs: number;
}

/** Asks the service that `method` belongs to. */
export async function ask<I extends DescMessage, O extends DescMessage>(
  peer: (name: string) => Transport,
  method: DescMethodUnary<I, O>,
  message: MessageInitShape<I>,
  { tenant, requestId, timeoutMs }: Asking,
): Promise<MessageShape<O>> {
  const headers = { ...(tenant && tenantHeaders(tenant)), [requestIdHeader]: requestId };
  const response = await peer(processOf(method.parent)).unary<I, O>(method, undefined, timeoutMs, headers, message);
  return response.message;
}
