// A service that is lost or hangs must cost its own routes only. Each has a breaker: while nobody answers there, requests
// are told so at once instead of waiting, and one at a time tries again. And each may hold only so many requests at work.

import { type DescMethodUnary, hasOption } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { Code, ConnectError, isNoAnswer, unavailable } from "@ems/kit/errors";
import type { Logger } from "@ems/kit/log";
import { deadline_ms } from "@ems/proto/rest/v1/rest";
import {
  type BulkheadPolicy,
  bulkhead,
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  handleAll,
  type IBreaker,
} from "cockatiel";
import type { GatewayConfig } from "./config.ts";

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
  const places = bulkhead(config.UPSTREAM_IN_FLIGHT_MAX);
  return {
    unary: (method, signal, timeoutMs, header, input, contextValues) =>
      guard(breaker, places, config.BREAKER_OPEN_MS, method, () =>
        transport.unary(method, signal, timeoutMs, header, input, contextValues),
      ),
    stream: (...call) => transport.stream(...call),
  };
}

async function guard<T>(
  breaker: CircuitBreakerPolicy,
  places: BulkheadPolicy,
  openMs: number,
  method: DescMethodUnary,
  call: () => Promise<T>,
): Promise<T> {
  // While one call tries, the others do not wait for what becomes of it.
  if (breaker.state === CircuitState.HalfOpen) throw unavailable(undefined, undefined, openMs);
  if (places.executionSlots === 0) throw unavailable("Too many requests at once");
  let answered: { readonly error: unknown } | undefined;
  let lost: { readonly error: unknown } | undefined;
  const attempt = async (): Promise<T | undefined> => {
    try {
      return await call();
    } catch (error) {
      if (isLost(error, method)) {
        lost = { error };
        throw error;
      }
      answered = { error };
      return undefined;
    }
  };
  try {
    const answer = await places.execute(() => breaker.execute(attempt));
    if (answered !== undefined) throw answered.error;
    // Undefined only with an error.
    return answer as T;
  } catch (error) {
    if (lost !== undefined || answered !== undefined) throw error;
    throw unavailable(undefined, error, openMs);
  }
}

/** Whether nobody answered, or not in time; an RPC that is long by its nature proves nothing by being late. */
function isLost(error: unknown, method: DescMethodUnary): boolean {
  if (isNoAnswer(error)) return true;
  return error instanceof ConnectError && error.code === Code.DeadlineExceeded && !hasOption(method, deadline_ms);
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
