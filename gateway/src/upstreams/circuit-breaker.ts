// Fault isolation: one circuit breaker and one bulkhead per service, so that a lost or hanging service costs its own
// routes only.

import type { Transport } from "@connectrpc/connect";
import { isUnanswered, unavailable } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { Logger } from "@ems/kit/log";
import { tenantKey } from "@ems/kit/rpc/call";
import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleAll, isBrokenCircuitError } from "cockatiel";
import type { GatewayConfig } from "../config.ts";
import { rejection } from "../limits/rejection.ts";
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
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: config.BREAKER_OPEN_MS,
    breaker: new SustainedFailureBreaker(config.BREAKER_FAILURES),
  });
  breaker.onBreak(() => log.warn({ service: name }, "circuit breaker open: the service does not respond"));
  breaker.onReset(() => log.info({ service: name }, "circuit breaker closed"));
  const circuitOpen = (cause?: unknown) => unavailable(undefined, cause, config.BREAKER_OPEN_MS);
  const tenantBulkhead = bulkhead(config);
  // Calls without a tenant, such as authentication, do not compete with tenants' calls.
  const systemBulkhead = bulkhead(config);
  return {
    unary: async (...call) => {
      const applicationId = call[5]?.get(tenantKey)?.applicationId;
      const places = applicationId === undefined ? systemBulkhead : tenantBulkhead;
      const key = applicationId ?? "";
      // Half-open: cockatiel would queue further calls behind the probe; they fail fast instead.
      if (breaker.state === CircuitState.HalfOpen) throw circuitOpen();
      if (!places.tryAcquire(key)) throw places.rejection(key);
      try {
        const result = await breaker.execute(() => outcomeOf(transport.unary(...call)));
        if ("error" in result) throw result.error;
        return result.response;
      } catch (error) {
        throw isBrokenCircuitError(error) ? circuitOpen(error) : error;
      } finally {
        places.release(key);
      }
    },
    stream: (...call) => transport.stream(...call),
  };
}

/** Any response, also an error or an exceeded deadline, shows that the service is alive; only a lost connection throws. */
async function outcomeOf<T>(call: Promise<T>): Promise<{ response: T } | { error: unknown }> {
  try {
    return { response: await call };
  } catch (error) {
    if (isUnanswered(error)) throw error;
    return { error };
  }
}

function bulkhead({ UPSTREAM_IN_FLIGHT_MAX }: Config): TenantConcurrencyLimiter {
  return new TenantConcurrencyLimiter({
    max: UPSTREAM_IN_FLIGHT_MAX,
    reject: rejection("upstream", "Too many requests"),
  });
}

/** Failures within this time may be the calls of one crashed replica; the next call goes to another one. */
const failureSpanMinMs = 500;

/** Opens after consecutive failures that span a minimum time. */
class SustainedFailureBreaker extends ConsecutiveBreaker {
  #firstFailureMs = 0;

  override failure(): boolean {
    if (this.state === 0) this.#firstFailureMs = performance.now();
    return super.failure() && performance.now() - this.#firstFailureMs >= failureSpanMinMs;
  }
}
