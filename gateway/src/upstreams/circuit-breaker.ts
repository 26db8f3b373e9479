// A service that is lost or hangs must cost its own routes only. Each has a breaker: while nobody answers there, requests
// are told so at once instead of waiting, and one at a time tries again. And each may hold only so many requests at work,
// of which one application has half at most.

import type { Transport } from "@connectrpc/connect";
import { isUnanswered, unavailable } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { Logger } from "@ems/kit/log";
import { tenantKey } from "@ems/kit/rpc/call";
import { type CircuitBreakerPolicy, CircuitState, circuitBreaker, handleAll, type IBreaker } from "cockatiel";
import type { GatewayConfig } from "../config.ts";
import { refusal } from "../limits/rejection.ts";

type Peer = (name: string) => Transport;
type GuardConfig = Pick<GatewayConfig, "BREAKER_FAILURES" | "BREAKER_OPEN_MS" | "UPSTREAM_IN_FLIGHT_MAX">;

/** Failures of one moment are those of one process that died with them; the next call goes to another. */
const streakMs = 500;

/** `peer`, with a breaker before each service. */
export function guardedPeers(peer: Peer, config: GuardConfig, log: Logger): Peer {
  const guarded = new Map<string, Transport>();
  return (name) => {
    const transport = guarded.get(name) ?? guardedTransport(name, peer(name), config, log);
    guarded.set(name, transport);
    return transport;
  };
}

function guardedTransport(name: string, transport: Transport, config: GuardConfig, log: Logger): Transport {
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: config.BREAKER_OPEN_MS,
    breaker: new StreakBreaker(config.BREAKER_FAILURES),
  });
  breaker.onBreak(() => log.warn({ service: name }, "nobody answers: its requests are refused for a while"));
  breaker.onReset(() => log.info({ service: name }, "answers again"));
  const tenants = placesOf(config);
  // Calls on nobody's behalf, such as authentication, have places of their own.
  const others = placesOf(config);
  return {
    unary: async (method, signal, timeoutMs, header, input, contextValues) => {
      const applicationId = contextValues?.get(tenantKey)?.applicationId;
      const places = applicationId === undefined ? others : tenants;
      const key = applicationId ?? "";
      // While one call tries, the others do not wait for what becomes of it.
      if (breaker.state === CircuitState.HalfOpen) throw unavailable(undefined, undefined, config.BREAKER_OPEN_MS);
      if (!places.tryAcquire(key)) throw places.rejection(key);
      try {
        return await guard(breaker, config.BREAKER_OPEN_MS, () =>
          transport.unary(method, signal, timeoutMs, header, input, contextValues),
        );
      } finally {
        places.release(key);
      }
    },
    stream: (...call) => transport.stream(...call),
  };
}

function placesOf({ UPSTREAM_IN_FLIGHT_MAX }: GuardConfig): TenantConcurrencyLimiter {
  return new TenantConcurrencyLimiter({
    max: UPSTREAM_IN_FLIGHT_MAX,
    reject: refusal("upstream", "Too many requests"),
  });
}

async function guard<T>(breaker: CircuitBreakerPolicy, openMs: number, call: () => Promise<T>): Promise<T> {
  let answered: { readonly error: unknown } | undefined;
  let lost: { readonly error: unknown } | undefined;
  const attempt = async (): Promise<T | undefined> => {
    try {
      return await call();
    } catch (error) {
      // A deadline says nothing of the service: what one tenant asks for may be long. A process that hangs is found by
      // the pings of its connections (kit/rpc/grpc-client.ts), and then nobody has answered.
      if (isUnanswered(error)) {
        lost = { error };
        throw error;
      }
      answered = { error };
      return undefined;
    }
  };
  try {
    const answer = await breaker.execute(attempt);
    if (answered !== undefined) throw answered.error;
    // Undefined only with an error.
    return answer as T;
  } catch (error) {
    if (lost !== undefined || answered !== undefined) throw error;
    throw unavailable(undefined, error, openMs);
  }
}

/** Breaks after so many failures over some time without one answer between. */
class StreakBreaker implements IBreaker {
  readonly #failuresMin: number;
  #streak = { failures: 0, sinceMs: 0 };

  constructor(failuresMin: number) {
    this.#failuresMin = failuresMin;
  }

  get state(): unknown {
    return this.#streak;
  }

  set state(streak) {
    this.#streak = streak as { failures: number; sinceMs: number };
  }

  success(): void {
    this.#streak = { failures: 0, sinceMs: 0 };
  }

  failure(state: CircuitState): boolean {
    if (state === CircuitState.HalfOpen) return true;
    const nowMs = performance.now();
    const { failures, sinceMs } = this.#streak;
    this.#streak = { failures: failures + 1, sinceMs: failures === 0 ? nowMs : sinceMs };
    return failures + 1 >= this.#failuresMin && nowMs - this.#streak.sinceMs >= streakMs;
  }
}
