import {
  address,
  callerConfig,
  count,
  milliseconds,
  natsConfig,
  port,
  processConfig,
  readConfig,
  z,
} from "@ems/kit/config";
import { trustedProxies } from "./auth/client-address.ts";

const shape = {
  ...processConfig,
  ...natsConfig,
  HOST: z.string().default("127.0.0.1"),
  PORT: port().default(3000),
  ...callerConfig,
  /** Proxies whose `X-Forwarded-For` is trusted: CIDRs joined by commas, or their number where no client reaches the port directly. */
  TRUST_PROXY: trustedProxies().default(false),
  /** Deadline of a request across all services, unless its RPC has its own. */
  DEADLINE_MS: milliseconds().default(10_000),
  /** Client connections, in total and per address (no limit per address behind a trusted proxy). */
  CONNECTIONS_MAX: count().default(2_000),
  CONNECTIONS_PER_ADDRESS_MAX: count().default(500),
  /** Idle timeout of a connection; longer than that of a load balancer in front. */
  KEEP_ALIVE_MS: milliseconds().default(70_000),
  /** Slow clients: disconnected after so long without progress, or below this rate over a whole response. */
  ANSWER_STALL_MS: milliseconds().default(10_000),
  ANSWER_BYTES_PER_SECOND_MIN: count().default(16 * 1024),
  /** Bytes of unread responses, in total and per application; at the limit, the next request is rejected. */
  ANSWERS_WAITING_MAX_BYTES: count().default(128 * 1024 * 1024),
  ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES: count().default(32 * 1024 * 1024),
  /** Arriving bodies of authenticated requests, in total and per application. */
  ARRIVING_MAX: count().default(256),
  ARRIVING_PER_APPLICATION_MAX: count().default(32),
  /** Running requests, from the complete body to the response, in total and per application. */
  IN_FLIGHT_MAX: count().default(500),
  IN_FLIGHT_PER_APPLICATION_MAX: count().default(125),
  /** Bulkhead: running requests per service; one application gets at most half of them. */
  UPSTREAM_IN_FLIGHT_MAX: count().default(250),
  /** Circuit breaker: opens after so many consecutive calls without a response, for so long. */
  BREAKER_FAILURES: count().default(3),
  BREAKER_OPEN_MS: milliseconds().default(2_000),
  /** Load shedding: mean event loop delay above which requests are rejected. */
  EVENT_LOOP_DELAY_MAX_MS: milliseconds().default(500),
  /** Token bucket per application, over all its keys: refill rate and size. */
  RATE_LIMIT_APPLICATION_PER_MINUTE: count().default(6_000),
  RATE_LIMIT_APPLICATION_BURST: count().default(1_000),
  /** Token bucket per API key. */
  RATE_LIMIT_PER_MINUTE: count().default(1_200),
  RATE_LIMIT_BURST: count().default(200),
  /** Token buckets per application of single RPCs (`rate_limit` in proto): feedback mails, */
  RATE_LIMIT_FEEDBACK_PER_MINUTE: count().default(10),
  RATE_LIMIT_FEEDBACK_BURST: count().default(5),
  /** webhook tests, */
  RATE_LIMIT_WEBHOOK_TEST_PER_MINUTE: count().default(10),
  RATE_LIMIT_WEBHOOK_TEST_BURST: count().default(10),
  /** rows of ingested events, steps and spans. */
  RATE_LIMIT_INGEST_ROWS_PER_MINUTE: count().default(60_000),
  RATE_LIMIT_INGEST_ROWS_BURST: count().default(20_000),
  /** Values in a body: lists, objects, their elements and members. */
  BODY_VALUES_MAX: count().default(100_000),
  /** Running requests with large bodies (256 KiB or 8,000 values) and bodies being decompressed, in total and per application. */
  LARGE_BODIES_MAX: count().default(8),
  LARGE_BODIES_PER_APPLICATION_MAX: count().default(4),
  /** API key cache: fresh, then revalidated in the background, up to the hard limit; stale while identity is unreachable. */
  AUTH_FRESH_MS: milliseconds().default(5_000),
  AUTH_HARD_MAX_MS: milliseconds().default(10_000),
  AUTH_STALE_IF_UNREACHABLE_MS: milliseconds().default(60_000),
  /** Negative cache of unknown keys. */
  AUTH_NEGATIVE_MS: milliseconds().default(2_000),
  AUTH_CACHE_KEYS_MAX: count().default(50_000),
  /** Penalty delay: authentication failures per address before responses are delayed, and the longest delay. */
  AUTH_FAILURES_PER_MINUTE: count().default(30),
  AUTH_FAILURE_DELAY_MAX_MS: milliseconds().default(5_000),
  /** Delayed responses at one time, at most half of them for one address; further failures are 429 at once. */
  AUTH_FAILURES_DELAYED_MAX: count().default(1_000),
  /** Lookups of unseen keys at one time, at most half of them for one address, and queued ones. */
  AUTH_LOOK_UPS_MAX: count().default(200),
  AUTH_LOOK_UPS_WAITING_MAX: count().default(5_000),
};
const peersShape = {
  IDENTITY_ADDRESS: address(),
  CATALOG_ADDRESS: address(),
  EXPERIMENTS_ADDRESS: address(),
  REPORTING_ADDRESS: address(),
  NOTIFICATIONS_ADDRESS: address(),
};

/** The names of all settings. */
export const gatewayVariables = Object.keys({ ...shape, ...peersShape });

export type GatewayConfig = ReturnType<typeof readConfig<typeof shape>>;

export function gatewayConfig(env: Record<string, string | undefined>): GatewayConfig {
  return readConfig(shape, env);
}

/** Addresses of the services, when the gateway runs as its own process. */
export function gatewayPeers(env: Record<string, string | undefined>) {
  const peers = readConfig(peersShape, env);
  return {
    identity: peers.IDENTITY_ADDRESS,
    catalog: peers.CATALOG_ADDRESS,
    experiments: peers.EXPERIMENTS_ADDRESS,
    reporting: peers.REPORTING_ADDRESS,
    notifications: peers.NOTIFICATIONS_ADDRESS,
  };
}
