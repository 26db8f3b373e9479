import {
  callerConfig,
  count,
  defineConfig,
  milliseconds,
  natsConfig,
  port,
  processConfig,
  readConfig,
  sealingConfig,
  z,
} from "@ems/kit/config";
import { watchHeartbeatMs } from "@ems/proto/limits";
import { trustedProxies } from "./auth/client-address.ts";
import { openIdSettings, requiredOpenIdSettings } from "./console/open-id/settings.ts";
import { corsOrigins } from "./http/cors.ts";

const shape = {
  ...processConfig,
  ...natsConfig,
  HOST: z.string().default("127.0.0.1").describe("Address of the public HTTP port."),
  PORT: port().default(3000).describe("Public HTTP port; 0 takes a free one."),
  GRPC_PORT: z
    .union([port(), z.literal("off").transform(() => undefined)])
    .default(4317)
    .describe("Public gRPC port, OpenTelemetry's by default; 0 takes a free one, `off` opens none."),
  GRPC_TLS_CERT_FILE: z
    .string()
    .optional()
    .describe("Certificate chain (PEM) of the gRPC port, read again when it is renewed. Unset: cleartext."),
  GRPC_TLS_KEY_FILE: z.string().optional().describe("Its private key (PEM)."),
  GRPC_REFLECTION: z
    .enum(["on", "off"])
    .default("on")
    .describe("Whether the gRPC port tells its schema to tools such as grpcurl."),
  GRPC_CONNECTION_AGE_MAX_MS: milliseconds()
    .default(30 * 60_000)
    .describe(
      "A client of the gRPC port is asked to connect anew after so long, 10 % more or less, and meets new replicas.",
    ),
  GRPC_CONNECTION_AGE_GRACE_MS: milliseconds()
    .default(30_000)
    .describe("How long running requests of such a connection may take."),
  ...callerConfig,
  TRUST_PROXY: trustedProxies()
    .default(false)
    .describe(
      "Proxies whose `X-Forwarded-For` is trusted: CIDRs joined by commas, or their number where no client reaches the port directly.",
    ),
  CORS_ORIGINS: corsOrigins()
    .default([])
    .describe("Origins whose scripts may send requests from a browser, joined by commas: `https://app.example.com`."),
  DOCS: z
    .enum(["on", "off"])
    .default("on")
    .describe("Whether the API reference is served, at `/docs` and `/openapi.json`."),
  CONSOLE: z.enum(["on", "off"]).default("on").describe("Whether the web console is served, at `/`."),
  CONSOLE_SEALING_KEYS: sealingConfig.SEALING_KEYS.optional().describe(
    "Keys that seal its sessions, `id:base64` of 32 bytes each: the first one seals, every one opens. Unset: derived from `RPC_PRIVATE_KEY`.",
  ),
  ...openIdSettings,
  DEADLINE_MS: milliseconds()
    .default(10_000)
    .describe("Deadline of a request across all services, unless its RPC has its own."),
  CONNECTIONS_MAX: count().default(2_000).describe("Client connections."),
  CONNECTIONS_PER_ADDRESS_MAX: count()
    .default(500)
    .describe("Client connections of one address; unlimited behind a trusted proxy."),
  KEEP_ALIVE_MS: milliseconds()
    .default(70_000)
    .describe("Idle timeout of a connection; longer than that of a load balancer in front."),
  ANSWER_STALL_MS: milliseconds()
    .default(10_000)
    .describe("A client that reads nothing of its response for so long is disconnected."),
  ANSWER_BYTES_PER_SECOND_MIN: count()
    .default(16 * 1024)
    .describe("A client that reads a whole response at a lower rate is disconnected."),
  ANSWERS_WAITING_MAX_BYTES: count()
    .default(128 * 1024 * 1024)
    .describe("Bytes of unread responses; at the limit, the next request is rejected."),
  ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES: count()
    .default(32 * 1024 * 1024)
    .describe("The same per application."),
  STREAMS_MAX: count().default(1_000).describe("Open streams of the gRPC port, such as watchers of events."),
  STREAMS_PER_APPLICATION_MAX: count()
    .default(200)
    .describe("The same per application; and per address of streams without a key, such as those of health."),
  STREAM_AGE_MAX_MS: milliseconds()
    .default(1_800_000)
    .describe("Age at which a stream ends at the latest, up to a fifth earlier; its client resumes."),
  STREAM_STALL_MS: milliseconds()
    .default(60_000)
    .describe("A client that takes no message of a stream for so long is disconnected, and can resume."),
  STREAM_KEY_CHECK_MS: milliseconds().default(2_000).describe("How often the API key of a stream is looked at."),
  WATCH_HEARTBEAT_MS: milliseconds()
    .default(watchHeartbeatMs)
    .describe("A watcher of events gets a heartbeat at least so often."),
  WATCH_RETRY_MS: milliseconds()
    .default(30_000)
    .describe("A watcher of events is kept for so long while notifications does not answer."),
  ARRIVING_MAX: count().default(256).describe("Arriving bodies of authenticated requests."),
  ARRIVING_PER_APPLICATION_MAX: count().default(32).describe("The same per application."),
  IN_FLIGHT_MAX: count().default(500).describe("Concurrent requests, from the complete body to the response."),
  IN_FLIGHT_PER_APPLICATION_MAX: count().default(125).describe("The same per application."),
  UPSTREAM_IN_FLIGHT_MAX: count()
    .default(250)
    .describe("Bulkhead: concurrent requests per service; one application gets at most half of them."),
  BREAKER_FAILURES: count()
    .default(3)
    .describe("Circuit breaker: consecutive calls of a service without a response that open it."),
  BREAKER_OPEN_MS: milliseconds().default(2_000).describe("Circuit breaker: how long it stays open."),
  EVENT_LOOP_DELAY_MAX_MS: milliseconds()
    .default(500)
    .describe("Load shedding: mean event loop delay above which requests are rejected."),
  RATE_LIMIT_APPLICATION_PER_MINUTE: count()
    .default(6_000)
    .describe("Token bucket per application, over all its keys: refill rate."),
  RATE_LIMIT_APPLICATION_BURST: count().default(1_000).describe("Token bucket per application: size."),
  RATE_LIMIT_PER_MINUTE: count().default(1_200).describe("Token bucket per API key: refill rate."),
  RATE_LIMIT_BURST: count().default(200).describe("Token bucket per API key: size."),
  RATE_LIMIT_REFLECTION_PER_MINUTE: count()
    .default(1_200)
    .describe("Token bucket per address of the gRPC port's reflection, which needs no key: refill rate."),
  RATE_LIMIT_REFLECTION_BURST: count().default(400).describe("Token bucket per address of reflection: size."),
  RATE_LIMIT_FEEDBACK_PER_MINUTE: count()
    .default(10)
    .describe("Token bucket per application of feedback: refill rate."),
  RATE_LIMIT_FEEDBACK_BURST: count().default(5).describe("Token bucket per application of feedback: size."),
  RATE_LIMIT_INVITATION_PER_MINUTE: count()
    .default(10)
    .describe("Token bucket per application of invitations, which send mails: refill rate."),
  RATE_LIMIT_INVITATION_BURST: count().default(20).describe("Token bucket per application of invitations: size."),
  RATE_LIMIT_WEBHOOK_TEST_PER_MINUTE: count()
    .default(10)
    .describe("Token bucket per application of webhook tests: refill rate."),
  RATE_LIMIT_WEBHOOK_TEST_BURST: count().default(10).describe("Token bucket per application of webhook tests: size."),
  RATE_LIMIT_TRIAL_PER_MINUTE: count()
    .default(60)
    .describe("Token bucket per application of trials of definitions: refill rate."),
  RATE_LIMIT_TRIAL_BURST: count().default(20).describe("Token bucket per application of trials of definitions: size."),
  RATE_LIMIT_INGEST_ROWS_PER_MINUTE: count()
    .default(60_000)
    .describe("Token bucket per application of ingested events, steps and spans: refill rate."),
  RATE_LIMIT_INGEST_ROWS_BURST: count()
    .default(42_000)
    .describe("Token bucket per application of ingested events, steps and spans: size."),
  BODY_VALUES_MAX: count().default(100_000).describe("Values in a body: lists, objects, their elements and members."),
  RAW_BODY_VALUES_MAX: count()
    .default(1_000_000)
    .describe("The same in JSON that the gateway does not parse, such as OpenTelemetry's."),
  BODIES_MAX_BYTES: count()
    .default(96 * 1024 * 1024)
    .describe("Bytes of request bodies in memory, as received and decompressed."),
  BODIES_PER_APPLICATION_MAX_BYTES: count()
    .default(48 * 1024 * 1024)
    .describe("The same per application."),
  LARGE_BODIES_MAX: count()
    .default(8)
    .describe("Concurrent requests with large bodies, and bodies being decompressed."),
  LARGE_BODIES_PER_APPLICATION_MAX: count().default(4).describe("The same per application."),
  AUTH_FRESH_MS: milliseconds().default(5_000).describe("API key cache: how long an entry is fresh."),
  AUTH_HARD_MAX_MS: milliseconds()
    .default(10_000)
    .describe("API key cache: how long an entry is used while it is revalidated in the background."),
  AUTH_STALE_IF_UNREACHABLE_MS: milliseconds()
    .default(60_000)
    .describe("API key cache: how long an entry is used while identity is unreachable."),
  AUTH_NEGATIVE_MS: milliseconds().default(2_000).describe("API key cache: how long an unknown key is remembered."),
  AUTH_CACHE_KEYS_MAX: count().default(50_000).describe("API key cache: entries."),
  AUTH_FAILURES_PER_MINUTE: count()
    .default(30)
    .describe("Failed authentications of one address before their responses are delayed."),
  AUTH_FAILURE_DELAY_MAX_MS: milliseconds().default(5_000).describe("The longest delay of such a response."),
  AUTH_FAILURES_DELAYED_MAX: count()
    .default(1_000)
    .describe("Delayed responses at one time, at most half of them for one address; further failures are 429 at once."),
  AUTH_LOOK_UPS_MAX: count()
    .default(200)
    .describe("Concurrent lookups of unseen API keys, at most half of them for one address."),
  AUTH_LOOK_UPS_WAITING_MAX: count().default(5_000).describe("Queued lookups of unseen API keys."),
};

export const { settings: gatewaySettings, peers: gatewayPeers } = defineConfig(shape, [
  "identity",
  "catalog",
  "traces",
  "experiments",
  "evaluation",
  "reporting",
  "notifications",
]);

export type GatewayConfig = ReturnType<typeof readConfig<typeof shape>>;

export function gatewayConfig(env: Record<string, string | undefined>): GatewayConfig {
  return readConfig(env.OIDC_ISSUER ? { ...shape, ...requiredOpenIdSettings } : shape, env);
}
