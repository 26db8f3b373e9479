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
  /**
   * Whose word counts for a client's address (X-Forwarded-For): the proxies' addresses as CIDRs joined by commas, or how many
   * stand in front, where nobody reaches the gateway but through them. None unless given.
   */
  TRUST_PROXY: trustedProxies().default(false),
  /** How long a request may take in all services together, where its RPC does not say otherwise. */
  DEADLINE_MS: milliseconds().default(10_000),
  /** Connections of clients at one time, and of one address (unless a proxy is trusted); one more is closed. */
  CONNECTIONS_MAX: count().default(2_000),
  CONNECTIONS_PER_ADDRESS_MAX: count().default(500),
  /** How long a connection may stay without a request; longer than a load balancer in front keeps it. */
  KEEP_ALIVE_MS: milliseconds().default(70_000),
  /** A client that takes nothing of its answer for so long, or less than this over its whole time, is cut off. */
  ANSWER_STALL_MS: milliseconds().default(10_000),
  ANSWER_BYTES_PER_SECOND_MIN: count().default(16 * 1024),
  /** Bytes of answers that wait to be taken, of all applications and of one; whoever has more waits with its next request. */
  ANSWERS_WAITING_MAX_BYTES: count().default(128 * 1024 * 1024),
  ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES: count().default(32 * 1024 * 1024),
  /** Bodies of authenticated requests that are on their way at one time, of all applications and of one. */
  ARRIVING_MAX: count().default(256),
  ARRIVING_PER_APPLICATION_MAX: count().default(32),
  /** Requests at work at one time, from the complete body to the answer, of all applications and of one. */
  IN_FLIGHT_MAX: count().default(500),
  IN_FLIGHT_PER_APPLICATION_MAX: count().default(125),
  /** Of these at most so many in one service: one that hangs leaves places to the others. An application has half of them. */
  UPSTREAM_IN_FLIGHT_MAX: count().default(250),
  /** A service is taken for lost after so many calls in a row that nobody answered, for so long. */
  BREAKER_FAILURES: count().default(3),
  BREAKER_OPEN_MS: milliseconds().default(2_000),
  /** Requests are refused while the process is so late with its work, on average. */
  EVENT_LOOP_DELAY_MAX_MS: milliseconds().default(500),
  /** What one application may ask with all its keys: steadily, and at once after a pause. */
  RATE_LIMIT_APPLICATION_PER_MINUTE: count().default(6_000),
  RATE_LIMIT_APPLICATION_BURST: count().default(1_000),
  /** What one API key of it may ask. */
  RATE_LIMIT_PER_MINUTE: count().default(1_200),
  RATE_LIMIT_BURST: count().default(200),
  /** What one application may ask of single RPCs (rate_limit in proto): mails of feedback, */
  RATE_LIMIT_FEEDBACK_PER_MINUTE: count().default(10),
  RATE_LIMIT_FEEDBACK_BURST: count().default(5),
  /** tests of its webhook, */
  RATE_LIMIT_WEBHOOK_TEST_PER_MINUTE: count().default(10),
  RATE_LIMIT_WEBHOOK_TEST_BURST: count().default(10),
  /** events, steps and spans to store. */
  RATE_LIMIT_INGEST_ROWS_PER_MINUTE: count().default(60_000),
  RATE_LIMIT_INGEST_ROWS_BURST: count().default(20_000),
  /** The most values of a body: elements and members of its lists and objects, and those themselves. */
  BODY_VALUES_MAX: count().default(100_000),
  /** Bodies of 256 KiB or 8,000 values and more at work at one time, and packed ones being unpacked: of all applications, of one. */
  LARGE_BODIES_MAX: count().default(8),
  LARGE_BODIES_PER_APPLICATION_MAX: count().default(4),
  AUTH_FRESH_MS: milliseconds().default(5_000),
  AUTH_HARD_MAX_MS: milliseconds().default(10_000),
  AUTH_STALE_IF_UNREACHABLE_MS: milliseconds().default(60_000),
  AUTH_NEGATIVE_MS: milliseconds().default(2_000),
  AUTH_CACHE_KEYS_MAX: count().default(50_000),
  /** An address that fails to authenticate more often than this has its failures answered late, and ever later, */
  AUTH_FAILURES_PER_MINUTE: count().default(30),
  /** up to this. */
  AUTH_FAILURE_DELAY_MAX_MS: milliseconds().default(5_000),
  /** Failures whose answer waits at one time, half of them of one address at most; what is above that is 429 at once. */
  AUTH_FAILURES_DELAYED_MAX: count().default(1_000),
  /** Keys never seen here that identity is asked for at one time, half of them for one address at most, */
  AUTH_LOOK_UPS_MAX: count().default(200),
  /** and those that wait for their turn. */
  AUTH_LOOK_UPS_WAITING_MAX: count().default(5_000),
};
const peersShape = {
  IDENTITY_ADDRESS: address(),
  CATALOG_ADDRESS: address(),
  EXPERIMENTS_ADDRESS: address(),
  REPORTING_ADDRESS: address(),
  NOTIFICATIONS_ADDRESS: address(),
};

/** Every variable that the process reads. */
export const gatewayVariables = Object.keys({ ...shape, ...peersShape });

export type GatewayConfig = ReturnType<typeof readConfig<typeof shape>>;

export function gatewayConfig(env: Record<string, string | undefined>): GatewayConfig {
  return readConfig(shape, env);
}

/** Where the services are, when the gateway runs as a process of its own. */
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
