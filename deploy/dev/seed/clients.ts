// The services as a seed calls them: on behalf of one tenant, as the gateway would.

import type { DescService } from "@bufbuild/protobuf";
import { type CallOptions, type Client, createClient, type Transport } from "@connectrpc/connect";
import { onBehalfOf, requestIdHeader } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";

/** No single call of a seed takes this long. */
const timeoutMs = 60_000;

export interface Caller {
  /** A client of a service of the process `name`. */
  client<S extends DescService>(name: string, service: S): Client<S>;
  /** What each call is made with. */
  readonly options: CallOptions;
}

export function callerFor(peer: (name: string) => Transport, tenant: Tenant): Caller {
  return {
    client: (name, service) => createClient(service, peer(name)),
    options: { contextValues: onBehalfOf(tenant), headers: { [requestIdHeader]: "seed" }, timeoutMs },
  };
}
