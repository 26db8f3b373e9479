// Fault isolation: one circuit breaker and one bulkhead per service, so that a lost or hanging service costs its own
// routes only.

import type { Transport } from "@connectrpc/connect";
import { isUnanswered, unavailable } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { Logger } from "@ems/kit/log";
import { tenantKey } from "@ems/kit/rpc/call";
import type { GatewayConfig } from "../config.ts";
import { rejection } from "../limits/rejection.ts";
import { Breaker } from "./breaker.ts";
import type { Peer } from "./call-upstream.ts";

type Config = Pick<GatewayConfig, "BREAKER_FAILURES" | "BREAKER_OPEN_MS" | "UPSTREAM_IN_FLIGHT_MAX">;

/** `peer` with a circuit breaker and bulkheads for each service. */
export function protectedPeers(peer: Peer, config: Config, log: Logger): Peer {
  const transports = new Map<string, Transport>();
  return (name) => {
    const transport = transports.get(name) ?? protectedTransport(name, peer(name), config, log);
    transports.set(name, transport);
    return transport;
  };
}

function protectedTransport(name: string, transport: Transport, config: Config, log: Logger): Transport {
  const breaker = new Breaker({
    failures: config.BREAKER_FAILURES,
    openMs: config.BREAKER_OPEN_MS,
    // Any response, also an error or an exceeded deadline, shows that the service is alive.
    isFailure: isUnanswered,
    refusal: () => unavailable(undefined, undefined, config.BREAKER_OPEN_MS),
    onOpen: () => log.warn({ service: name }, "circuit breaker open: the service does not respond"),
    onClose: () => log.info({ service: name }, "circuit breaker closed"),
  });
  const tenantBulkhead = bulkhead(config);
  // Calls without a tenant, such as authentication, do not compete with tenants' calls.
  const systemBulkhead = bulkhead(config);
  return {
    unary: async (...call) => {
      const applicationId = call[5]?.get(tenantKey)?.applicationId;
      const places = applicationId === undefined ? systemBulkhead : tenantBulkhead;
      const key = applicationId ?? "";
      if (!places.tryAcquire(key)) throw places.rejection(key);
      try {
        return await breaker.run(() => transport.unary(...call));
      } finally {
        places.release(key);
      }
    },
    stream: (...call) => transport.stream(...call),
  };
}

function bulkhead({ UPSTREAM_IN_FLIGHT_MAX }: Config): TenantConcurrencyLimiter {
  return new TenantConcurrencyLimiter({
    max: UPSTREAM_IN_FLIGHT_MAX,
    reject: rejection("upstream", "Too many requests"),
  });
}
