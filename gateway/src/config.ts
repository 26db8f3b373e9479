import { address, count, flag, milliseconds, natsConfig, port, processConfig, readConfig, z } from "@ems/kit/config";

const shape = {
  ...processConfig,
  ...natsConfig,
  HOST: z.string().default("127.0.0.1"),
  PORT: port().default(3000),
  /** Proves to services that it is the gateway who calls. */
  RPC_SECRET: z.string().min(32, "must have at least 32 characters"),
  /** Whether a proxy in front tells the client's address (X-Forwarded-For); believed only when one is there. */
  TRUST_PROXY: flag().default(false),
  /** How long a request may take in all services together, where its RPC does not say otherwise. */
  DEADLINE_MS: milliseconds().default(10_000),
  /** Requests at work at one time; one more is told to come again. */
  IN_FLIGHT_MAX: count().default(500),
  /** Of these at most so many in one service: one that hangs leaves places to the others. */
  UPSTREAM_IN_FLIGHT_MAX: count().default(250),
  /** A service is taken for lost after so many calls in a row that nobody answered, for so long. */
  BREAKER_FAILURES: count().default(3),
  BREAKER_OPEN_MS: milliseconds().default(2_000),
  /** Requests are refused while the process is so late with its work, on average. */
  EVENT_LOOP_DELAY_MAX_MS: milliseconds().default(500),
  /** What one API key may ask: steadily, and at once after a pause. */
  RATE_LIMIT_PER_MINUTE: count().default(1_200),
  RATE_LIMIT_BURST: count().default(200),
  AUTH_FRESH_MS: milliseconds().default(5_000),
  AUTH_HARD_MAX_MS: milliseconds().default(10_000),
  AUTH_STALE_IF_UNREACHABLE_MS: milliseconds().default(60_000),
  AUTH_NEGATIVE_MS: milliseconds().default(2_000),
  AUTH_CACHE_KEYS_MAX: count().default(50_000),
  AUTH_FAILURES_PER_MINUTE: count().default(30),
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
