// Creates clients that call services on behalf of one tenant, like the gateway.

import type { DescService } from "@bufbuild/protobuf";
import { type CallOptions, type Client, createClient, type Transport } from "@connectrpc/connect";
import { createTenantContext, requestIdHeader } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";
import { getProcess } from "@ems/proto/process-name";

const timeoutMs = 60_000;

export interface Caller {
  /** Creates a client for a service, in whichever process it is served. */
  client<S extends DescService>(service: S): Client<S>;
  /** Options to pass with each call. */
  readonly options: CallOptions;
}

export function callerFor(peer: (name: string) => Transport, tenant: Tenant): Caller {
  return {
    client: (service) => createClient(service, peer(getProcess(service))),
    options: { contextValues: createTenantContext(tenant), headers: { [requestIdHeader]: "seed" }, timeoutMs },
  };
}
