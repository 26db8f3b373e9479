// The gateway as a service: its RPCs are called like those of other services.

import type { Clock } from "@ems/kit/clock";
import type { Logger } from "@ems/kit/log";
import { endpoints } from "@ems/kit/rpc/endpoints";
import { inProcessTransport } from "@ems/kit/rpc/in-process";
import { serviceInterceptors } from "@ems/kit/rpc/interceptors";
import { mount } from "@ems/kit/rpc/service";
import { HealthService } from "@ems/proto/gateway/v1/health_service";
import type { Peer } from "../upstreams/call-upstream.ts";
import { getHealth } from "./get-health.ts";

const gateway = "gateway";

interface Deps {
  readonly peer: Peer;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Adds the gateway itself, which serves `ems.gateway.v1`, to the peers. */
export function withHealthService({ peer, clock, log }: Deps): Peer {
  const mounted = mount(HealthService, { getHealth: getHealth(peer, clock) });
  const served = endpoints([mounted], serviceInterceptors({ callers: [gateway], log }));
  const own = inProcessTransport(() => served, gateway);
  return (name) => (name === gateway ? own : peer(name));
}
