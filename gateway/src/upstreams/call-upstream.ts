// Calls of the services behind the gateway. One circuit breaker and one bulkhead per service isolate faults: a lost or
// hanging service affects only its own routes.

import type { DescMessage, DescMethodUnary, DescService, MessageInitShape } from "@bufbuild/protobuf";
import type { Transport, UnaryResponse } from "@connectrpc/connect";
import { type Clock, monotonicMs } from "@ems/kit/clock";
import { isUnanswered, unavailable } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { Logger } from "@ems/kit/log";
import { createTenantContext, requestIdHeader, tenantKey } from "@ems/kit/rpc/call";
import { type IfMatch, ifMatchHeader, writeIfMatch } from "@ems/kit/rpc/etag";
import { idempotencyKeyHeader, writeIdempotencyKey } from "@ems/kit/rpc/idempotency-key";
import type { Tenant } from "@ems/kit/tenant";
import { getProcess } from "@ems/proto/process-name";
import { rejection } from "../budget/index.ts";
import type { GatewayConfig } from "../config.ts";

/** Returns the transport to a service, by name. */
export type Peer = (name: string) => Transport;

export interface UpstreamRequest {
  readonly tenant?: Tenant | undefined;
  readonly requestId: string;
  readonly timeoutMs: number;
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: IfMatch | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Calls the service that `method` belongs to. */
export function callUpstream<I extends DescMessage, O extends DescMessage>(
  peer: Peer,
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
  { tenant, requestId, timeoutMs, idempotencyKey, ifMatch, signal }: UpstreamRequest,
): Promise<UnaryResponse<I, O>> {
  const headers = {
    [requestIdHeader]: requestId,
    ...(idempotencyKey !== undefined && { [idempotencyKeyHeader]: writeIdempotencyKey(idempotencyKey) }),
    ...(ifMatch !== undefined && { [ifMatchHeader]: writeIfMatch(ifMatch) }),
  };
  return peer(getProcessName(method.parent)).unary<I, O>(
    method,
    signal,
    timeoutMs,
    headers,
    input,
    createTenantContext(tenant),
  );
}

const processNames = new Map<DescService, string>();

/** Cached, because reading an option takes longer than a map lookup. */
function getProcessName(service: DescService): string {
  const name = processNames.get(service) ?? getProcess(service);
  processNames.set(service, name);
  return name;
}

type Config = Pick<GatewayConfig, "BREAKER_FAILURES" | "BREAKER_OPEN_MS" | "UPSTREAM_IN_FLIGHT_MAX">;

/** Wraps `peer` with a circuit breaker and bulkheads for each service. */
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
    // Any response, including an error or an exceeded deadline, proves that the service is alive.
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
      return places.run(applicationId ?? "", undefined, () => breaker.run(() => transport.unary(...call)));
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

interface BreakerOptions {
  /** Consecutive failures that open the breaker. */
  readonly failures: number;
  /** Time in the open state before a call probes. */
  readonly openMs: number;
  readonly isFailure: (error: unknown) => boolean;
  /** Creates the error of a rejected call. */
  readonly refusal: () => Error;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  /** Defaults to the process's monotonic clock. */
  readonly clock?: Clock;
}

/** Failures within this time may be calls of one crashed replica; the next call reaches another one. */
const failureSpanMinMs = 500;

/**
 * Opens after consecutive failures that span a minimum time; one call at a time probes whether it may close. It uses
 * monotonic time: cockatiel's breaker uses the machine's clock, and stays open for an hour if that clock was briefly an
 * hour ahead.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  #state: "closed" | "open" | "probing" = "closed";
  #failures = 0;
  #firstFailureMs = 0;
  #openedMs = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    const isProbe = this.#state !== "closed";
    if (isProbe) this.#beginProbe();
    try {
      const response = await call();
      this.#succeed(isProbe);
      return response;
    } catch (error) {
      if (this.#options.isFailure(error)) this.#fail(isProbe);
      else this.#succeed(isProbe);
      throw error;
    }
  }

  #beginProbe(): void {
    const isDue = this.#state === "open" && this.#nowMs() - this.#openedMs >= this.#options.openMs;
    if (!isDue) throw this.#options.refusal();
    this.#state = "probing";
  }

  /** Ignores calls that began before the circuit opened: they say nothing about the service now. */
  #succeed(isProbe: boolean): void {
    this.#failures = 0;
    if (!isProbe) return;
    this.#state = "closed";
    this.#options.onClose();
  }

  #fail(isProbe: boolean): void {
    if (!isProbe && this.#state !== "closed") return;
    if (this.#failures === 0) this.#firstFailureMs = this.#nowMs();
    this.#failures += 1;
    const isSustained =
      this.#failures >= this.#options.failures && this.#nowMs() - this.#firstFailureMs >= failureSpanMinMs;
    if (!isProbe && !isSustained) return;
    this.#state = "open";
    this.#openedMs = this.#nowMs();
    this.#options.onOpen();
  }

  #nowMs(): number {
    return monotonicMs(this.#options.clock);
  }
}
