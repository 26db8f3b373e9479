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
import { exportsMax, watchHeartbeatMs } from "@ems/proto/limits";
import { trustedProxies } from "./auth/client-address.ts";
import { openIdSettings, requiredOpenIdSettings } from "./console/open-id/settings.ts";
import { corsOrigins } from "./http/cors.ts";

const shape = {
  ...processConfig,
  ...natsConfig,
  HOST: z.string().default("127.0.0.1").describe("Listen address of the public HTTP port."),
  PORT: port().default(3000).describe("Public HTTP port; 0 picks a free port."),
  GRPC_PORT: z
    .union([port(), z.literal("off").transform(() => undefined)])
    .default(4317)
    .describe("Public gRPC port, by default OpenTelemetry's; 0 picks a free port, `off` disables it."),
  GRPC_TLS_CERT_FILE: z
    .string()
    .optional()
    .describe("Certificate chain (PEM) of the gRPC port, reloaded when it changes. Unset: cleartext."),
  GRPC_TLS_KEY_FILE: z.string().optional().describe("Private key (PEM) of the gRPC port's certificate."),
  GRPC_REFLECTION: z
    .enum(["on", "off"])
    .default("on")
    .describe("gRPC reflection, which describes the schema to tools such as grpcurl."),
  GRPC_CONNECTION_AGE_MAX_MS: milliseconds()
    .default(30 * 60_000)
    .describe(
      "Maximum age of a gRPC connection (±10 % jitter), after which clients reconnect and so reach new replicas.",
    ),
  GRPC_CONNECTION_AGE_GRACE_MS: milliseconds()
    .default(30_000)
    .describe("Grace period for running requests of a gRPC connection at its maximum age."),
  ...callerConfig,
  TRUST_PROXY: trustedProxies()
    .default(false)
    .describe(
      "Trusted proxies for `X-Forwarded-For`: CIDRs joined by commas, or the number of proxies if no client reaches the port directly.",
    ),
  CORS_ORIGINS: corsOrigins()
    .default([])
    .describe("Origins whose scripts may call the API from a browser, joined by commas: `https://app.example.com`."),
  DOCS: z.enum(["on", "off"]).default("on").describe("API reference at `/docs` and `/openapi.json`."),
  CONSOLE: z.enum(["on", "off"]).default("on").describe("Web console at `/`."),
  CONSOLE_SEALING_KEYS: sealingConfig.SEALING_KEYS.optional().describe(
    "Keys that encrypt console sessions, `id:base64` of 32 bytes each: the first one encrypts, each one decrypts. Unset: derived from `RPC_PRIVATE_KEY`.",
  ),
  ...openIdSettings,
  DEADLINE_MS: milliseconds()
    .default(10_000)
    .describe("Deadline of a request across all services, unless its RPC defines one."),
  CONNECTIONS_MAX: count().default(2_000).describe("Maximum number of client connections."),
  CONNECTIONS_PER_ADDRESS_MAX: count()
    .default(500)
    .describe("Maximum number of client connections per address; unlimited behind a trusted proxy."),
  KEEP_ALIVE_MS: milliseconds()
    .default(70_000)
    .describe("Idle timeout of a connection; must exceed that of a load balancer in front."),
  ANSWER_STALL_MS: milliseconds()
    .default(10_000)
    .describe("Timeout after which a client that reads nothing of its response is disconnected."),
  ANSWER_BYTES_PER_SECOND_MIN: count()
    .default(16 * 1024)
    .describe("Minimum rate at which a client must read a response; slower clients are disconnected."),
  ANSWERS_WAITING_MAX_BYTES: count()
    .default(128 * 1024 * 1024)
    .describe("Maximum number of unread response bytes; at the limit, the next request is rejected."),
  ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES: count()
    .default(32 * 1024 * 1024)
    .describe("Maximum number of unread response bytes per application."),
  EXPORTS_MAX: count()
    .default(16)
    .describe("Maximum number of concurrent exports, whose responses are streams of pages."),
  EXPORTS_PER_APPLICATION_MAX: count()
    .default(exportsMax)
    .describe("Maximum number of concurrent exports per application."),
  STREAMS_MAX: count()
    .default(1_000)
    .describe("Maximum number of open streams on the gRPC port, such as event watches."),
  STREAMS_PER_APPLICATION_MAX: count()
    .default(200)
    .describe(
      "Maximum number of open streams per application, or per address for streams without a key, such as health.",
    ),
  STREAM_AGE_MAX_MS: milliseconds()
    .default(1_800_000)
    .describe("Maximum age of a stream (ends up to 20 % earlier); its client resumes."),
  STREAM_STALL_MS: milliseconds()
    .default(60_000)
    .describe("Timeout after which a stream's client that reads no message is disconnected; it can resume."),
  STREAM_KEY_CHECK_MS: milliseconds()
    .default(2_000)
    .describe("Interval at which the API key of a stream is revalidated."),
  WATCH_HEARTBEAT_MS: milliseconds()
    .default(watchHeartbeatMs)
    .describe("Maximum interval between heartbeats of an event watch."),
  WATCH_RETRY_MS: milliseconds()
    .default(30_000)
    .describe("Time that an event watch stays open while notifications does not respond."),
  ARRIVING_MAX: count().default(256).describe("Maximum number of authenticated requests whose body is arriving."),
  ARRIVING_PER_APPLICATION_MAX: count().default(32).describe("Maximum number of arriving bodies per application."),
  IN_FLIGHT_MAX: count()
    .default(500)
    .describe("Maximum number of concurrent requests, from the complete body to the response."),
  IN_FLIGHT_PER_APPLICATION_MAX: count()
    .default(125)
    .describe("Maximum number of concurrent requests per application."),
  UPSTREAM_IN_FLIGHT_MAX: count()
    .default(250)
    .describe(
      "Bulkhead: maximum number of concurrent requests per service; one application gets at most half of them.",
    ),
  BREAKER_FAILURES: count()
    .default(3)
    .describe("Circuit breaker: consecutive calls of a service without a response that open it."),
  BREAKER_OPEN_MS: milliseconds().default(2_000).describe("Circuit breaker: time that it stays open."),
  EVENT_LOOP_DELAY_MAX_MS: milliseconds()
    .default(500)
    .describe("Load shedding: mean event-loop delay above which requests are rejected."),
  RATE_LIMIT_APPLICATION_PER_MINUTE: count()
    .default(6_000)
    .describe("Token bucket per application, for all its keys: refill rate."),
  RATE_LIMIT_APPLICATION_BURST: count().default(1_000).describe("Token bucket per application: size."),
  RATE_LIMIT_PER_MINUTE: count().default(1_200).describe("Token bucket per API key: refill rate."),
  RATE_LIMIT_BURST: count().default(200).describe("Token bucket per API key: size."),
  RATE_LIMIT_REFLECTION_PER_MINUTE: count()
    .default(1_200)
    .describe("Token bucket per address for gRPC reflection, which needs no key: refill rate."),
  RATE_LIMIT_REFLECTION_BURST: count().default(400).describe("Token bucket per address for gRPC reflection: size."),
  RATE_LIMIT_FEEDBACK_PER_MINUTE: count()
    .default(10)
    .describe("Token bucket per application for feedback: refill rate."),
  RATE_LIMIT_FEEDBACK_BURST: count().default(5).describe("Token bucket per application for feedback: size."),
  RATE_LIMIT_INVITATION_PER_MINUTE: count()
    .default(10)
    .describe("Token bucket per application for invitations, which send mail: refill rate."),
  RATE_LIMIT_INVITATION_BURST: count().default(20).describe("Token bucket per application for invitations: size."),
  RATE_LIMIT_WEBHOOK_TEST_PER_MINUTE: count()
    .default(10)
    .describe("Token bucket per application for webhook tests: refill rate."),
  RATE_LIMIT_WEBHOOK_TEST_BURST: count().default(10).describe("Token bucket per application for webhook tests: size."),
  RATE_LIMIT_TRIAL_PER_MINUTE: count()
    .default(60)
    .describe("Token bucket per application for definition trials: refill rate."),
  RATE_LIMIT_TRIAL_BURST: count().default(20).describe("Token bucket per application for definition trials: size."),
  RATE_LIMIT_INGEST_ROWS_PER_MINUTE: count()
    .default(60_000)
    .describe("Token bucket per application for ingested events, steps and spans: refill rate."),
  RATE_LIMIT_INGEST_ROWS_BURST: count()
    .default(42_000)
    .describe("Token bucket per application for ingested events, steps and spans: size."),
  BODY_VALUES_MAX: count().default(100_000).describe("Values in a body: lists, objects, their elements and members."),
  RAW_BODY_VALUES_MAX: count()
    .default(1_000_000)
    .describe("Maximum number of values in a body that the gateway does not parse, such as OpenTelemetry's JSON."),
  BODIES_MAX_BYTES: count()
    .default(96 * 1024 * 1024)
    .describe("Maximum number of request body bytes in memory, received and decompressed."),
  BODIES_PER_APPLICATION_MAX_BYTES: count()
    .default(48 * 1024 * 1024)
    .describe("Maximum number of request body bytes in memory per application."),
  LARGE_BODIES_MAX: count()
    .default(8)
    .describe("Maximum number of concurrent requests with large bodies, including bodies being decompressed."),
  LARGE_BODIES_PER_APPLICATION_MAX: count().default(4).describe("Maximum number of large bodies per application."),
  AUTH_FRESH_MS: milliseconds().default(5_000).describe("API key cache: time that an entry is fresh."),
  AUTH_HARD_MAX_MS: milliseconds()
    .default(10_000)
    .describe("API key cache: time that an entry is used while it is revalidated in the background."),
  AUTH_STALE_IF_UNREACHABLE_MS: milliseconds()
    .default(60_000)
    .describe("API key cache: time that an entry is used while identity is unreachable."),
  AUTH_NEGATIVE_MS: milliseconds().default(2_000).describe("API key cache: time that an unknown key is remembered."),
  AUTH_CACHE_KEYS_MAX: count().default(50_000).describe("API key cache: maximum number of entries."),
  AUTH_FAILURES_PER_MINUTE: count()
    .default(30)
    .describe("Failed authentications per address and minute before responses are delayed."),
  AUTH_FAILURE_DELAY_MAX_MS: milliseconds()
    .default(5_000)
    .describe("Maximum delay of a response to a failed authentication."),
  AUTH_FAILURES_DELAYED_MAX: count()
    .default(1_000)
    .describe(
      "Maximum number of delayed responses, at most half of them for one address; further failures are 429 at once.",
    ),
  AUTH_LOOK_UPS_MAX: count()
    .default(200)
    .describe("Maximum number of concurrent lookups of unseen API keys, at most half of them for one address."),
  AUTH_LOOK_UPS_WAITING_MAX: count().default(5_000).describe("Maximum number of queued lookups of unseen API keys."),
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
