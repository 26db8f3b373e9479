// Configuration: environment variables, parsed once at start. One error lists all invalid variables, without their
// values, which may be secrets. Name, default and meaning of a setting are defined only in its shape.

import { z } from "zod";
import { readPrivateKey, readPublicKeys } from "./rpc/tokens/keys.ts";

export { z } from "zod";

type Environment = Readonly<Record<string, string | undefined>>;

/** Error for an invalid configuration. The message lists every invalid variable. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

/** Reads `shape`'s variables from `env`. An empty variable counts as absent. */
export function readConfig<Shape extends z.ZodRawShape>(shape: Shape, env: Environment) {
  const values = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const result = z.object(shape).safeParse(values);
  if (result.success) return result.data;
  // Zod reports an absent variable as undefined or not a number, so such messages are replaced.
  const isSpecific = (name: unknown, message: string) =>
    Object.hasOwn(values, String(name)) || message.startsWith("is required");
  const faults = result.error.issues.map(
    ({ path, message }) => `${path.join(".")}: ${isSpecific(path[0], message) ? message : "is required, and not set"}`,
  );
  throw new ConfigError(faults);
}

/**
 * Configuration of a process: its own settings, and each peer's address in `<PEER>_ADDRESS`. `settings` contains both,
 * for tables and charts.
 */
export function defineConfig<Shape extends z.ZodRawShape, Peer extends string = never>(
  shape: Shape,
  peerNames: readonly Peer[] = [],
) {
  const variable = (peer: string) => `${peer.toUpperCase()}_ADDRESS`;
  const addresses = Object.fromEntries(
    peerNames.map((peer) => [variable(peer), address().describe(`\`host:port\` of ${peer}.`)]),
  );
  return {
    settings: { ...shape, ...addresses },
    config: (env: Environment) => readConfig(shape, env),
    peers(env: Environment) {
      const config = readConfig(addresses, env);
      // The cast is safe: there is one entry for each peer.
      return Object.fromEntries(peerNames.map((peer) => [peer, config[variable(peer)]])) as Record<Peer, string>;
    },
  };
}

export interface Setting {
  readonly name: string;
  /** Default as an operator would write it; undefined if the setting is required, or unset by default. */
  readonly default: string | undefined;
  readonly meaning: string;
}

/** Lists settings as data, for tables, without retired ones (`z.undefined()`). */
export function describeSettings(settings: z.ZodRawShape): Setting[] {
  return Object.entries(settings).flatMap(([name, schema]) => {
    if (schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodUndefined) return [];
    const value = schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
    const isWritable = typeof value === "number" || (typeof value === "string" && value !== "");
    const { description: meaning = "" } = z.globalRegistry.get(schema) ?? {};
    return { name, default: isWritable ? String(value) : undefined, meaning };
  });
}

/** Reads a process's own settings and its peers' addresses, and reports the errors of both together. */
export function readConfigAndPeers<Config, Peers>(
  config: () => Config,
  peers: () => Peers,
): { config: Config; peers: Peers } {
  const faults = [config, peers].flatMap((read) => listFaults(read));
  if (faults.length > 0) throw new ConfigError(faults);
  return { config: config(), peers: peers() };
}

/** Lists a configuration's errors; empty if it is valid. */
export function listFaults(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

export const port = () => z.coerce.number().int().min(0).max(65535);
export const milliseconds = () => z.coerce.number().int().min(0);
export const count = () => z.coerce.number().int().min(1);
/** Schema of a retention in whole UTC days; `because` is the reason for the minimum. */
export const retentionDays = (min: number, because: string) =>
  count().min(min, `must be ${min} or more: ${because}`).max(36_500, "must be 36500 or less");
export const logLevel = () => z.enum(["trace", "debug", "info", "warn", "error", "silent"]);
export const flag = () => z.enum(["true", "false"]).transform((text) => text === "true");
/** Schema of an origin, such as `https://ems.example.com`. */
export const origin = () =>
  z
    .url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" })
    .refine((text) => /^https?:\/\/[^/?#@]+\/?$/.test(text), "must have no path, query or user")
    .transform((text) => new URL(text).origin);
export const list = () =>
  z.string().transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
  );
/** Schema of host names without a port, in lower case. */
export const hostNames = () =>
  list().pipe(
    z.array(
      z
        .string()
        .toLowerCase()
        .regex(/^\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/, "must be host names, separated by commas"),
    ),
  );
export const postgresUrl = () => z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" });
export const natsUrl = () =>
  z
    .string()
    .regex(
      /^(nats|tls):\/\/[^\s,]+(, *(nats|tls):\/\/[^\s,]+)*$/,
      "must be nats:// or tls:// URLs, separated by commas",
    );
/** Schema of `host:port`, or several joined by commas; a host name may have several addresses. */
export const address = () =>
  z
    .string()
    .regex(
      /^([^:/\s,[\]]+|\[[0-9a-fA-F:]+\]):\d+(,([^:/\s,[\]]+|\[[0-9a-fA-F:]+\]):\d+)*$/,
      "must be host:port, or several joined by commas",
    );

function keys<T>(read: (text: string) => T | undefined, fault: string) {
  const required =
    "is required: each process of a mesh has a key of its own, in place of RPC_SECRET (deploy/guides/rotation.md, Keys between processes)";
  return z.string(required).transform((text, context) => {
    const parsed = read(text);
    if (parsed !== undefined) return parsed;
    context.addIssue(fault);
    return z.NEVER;
  });
}

/** Settings of the authentication between the processes of a mesh. */
export const callerConfig = {
  RPC_PRIVATE_KEY: keys(readPrivateKey, "must be an Ed25519 key in PKCS #8: PEM, or base64 of DER").describe(
    "The process's private key, which signs its calls: Ed25519 in PKCS #8, as PEM or base64 of DER.",
  ),
  RPC_PUBLIC_KEYS: keys(
    readPublicKeys,
    "must be name:key joined by commas, each Ed25519 as base64 of DER (SPKI), at most two of a name",
  ).describe(
    "Public keys of all processes, `name:key` joined by commas, base64 of DER (SPKI); two of a name in a rotation.",
  ),
  RPC_TLS_CA_FILE: z
    .string()
    .optional()
    .describe("CA certificates (PEM) trusted for services, which are then called over TLS. Unset: cleartext."),
};

export type CallerConfig = z.infer<z.ZodObject<typeof callerConfig>>;

/** Settings of every process. */
export const processConfig = {
  LOG_LEVEL: logLevel().default("info").describe("Lowest log level."),
  ADMIN_PORT: port().default(0).describe("Port of `/livez`, `/readyz` and `/metrics`; 0 chooses a free one."),
  ADMIN_HOST: z.string().default("127.0.0.1").describe("Address of the admin port."),
  ADMIN_HOSTS: hostNames()
    .default([])
    .describe(
      "Host names with a dot that the admin port accepts, joined by commas; `.svc.cluster.local` allows all names below it.",
    ),
  DRAIN_DELAY_MS: milliseconds()
    .default(5_000)
    .describe("Time that a stopping process still serves after it becomes not ready."),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" })
    .optional()
    .describe("OTLP/HTTP receiver of traces, such as `http://collector:4318`. Unset: no tracing."),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe("Share of requests that are traced, 0 to 1, unless the caller has decided."),
};

/** Settings of a process that uses NATS. */
export const natsConfig = {
  NATS_URL: natsUrl()
    .optional()
    .describe(
      "NATS servers, joined by commas, with user and password or a token. Unset: events stay in the outboxes, and the gateway learns of deleted API keys only from identity.",
    ),
  NATS_CREDENTIALS_FILE: z.string().optional().describe("NATS credentials file: JWT and seed."),
  NATS_CA_FILE: z.string().optional().describe("Additional CA certificates (PEM) trusted for NATS; requires TLS."),
};

/** Public address of the installation, for links in mails and for sign-in. */
export const publicUrlConfig = {
  PUBLIC_URL: origin()
    .optional()
    .describe(
      "Public URL of the console, such as `https://ems.example.com`; required for sign-in by OpenID Connect and used in invitation mails.",
    ),
};

/** Settings of every service. */
export const serviceConfig = {
  ...processConfig,
  RPC_HOST: z.string().default("127.0.0.1").describe("Address of the RPC port."),
  RPC_PORT: port().describe("Port for RPCs; 0 chooses a free one."),
  RPC_CALLERS: list().describe("Processes that may call the service, joined by commas."),
  RPC_TLS_CERT_FILE: z
    .string()
    .optional()
    .describe("Certificate chain (PEM) of the RPC port, reloaded when renewed. Unset: cleartext."),
  RPC_TLS_KEY_FILE: z.string().optional().describe("Private key (PEM) of the RPC port's certificate."),
  ...callerConfig,
  RPC_PLATFORM_CALLERS: z
    .string()
    .optional()
    .describe("Callers outside the product (deploy/guides/platform-callers.md): a document in YAML or JSON."),
  RPC_PLATFORM_CALLERS_FILE: z
    .string()
    .optional()
    .describe("Path of the document with platform callers, instead of RPC_PLATFORM_CALLERS."),
  RPC_CONNECTION_AGE_MS: milliseconds()
    .min(1)
    .default(600_000)
    .describe("Maximum age of a caller's connection (±10 %), so that callers discover new processes."),
  DATABASE_URL: postgresUrl().describe("Database URL for the service's runtime role `ems_<service>`."),
  DATABASE_POOLER: z
    .enum(["none", "transaction"])
    .default("none")
    .describe(
      "`transaction` if `DATABASE_URL` points to a pooler in transaction mode: statements are not prepared by name. `RELAY_DATABASE_URL` and `OWNER_DATABASE_URL` must point to PostgreSQL itself.",
    ),
  DATABASE_POOL_MAX: count()
    .default(8)
    .describe("Database connections per process; one application gets at most half of them."),
  DATABASE_WAITING_MAX: count()
    .default(100)
    .describe("Maximum requests of one application that wait for a connection (for at most 2.5 s); more are rejected."),
  DATABASE_READ_MS: milliseconds()
    .default(5_000)
    .describe("Timeout of a read, such as a page of a list; reports and changes use their deadlines."),
};

/** Settings of a service that publishes events; its workers share the relay role's `connections`. */
export function outboxConfig({ connections = 2, connectionsMin = 1 } = {}) {
  return {
    ...natsConfig,
    RELAY_DATABASE_URL: postgresUrl().describe(
      "Database URL for the service's relay role `ems_<service>_relay`, which publishes the outbox.",
    ),
    RELAY_POOL_MAX: count()
      .min(connectionsMin)
      .default(connections)
      .describe("Database connections per process for the relay role: the outbox and work across applications."),
    RETENTION_DAYS_AUDIT: retentionDays(30, "the audit log must cover at least the last month")
      .default(400)
      .describe("Retention of audit log entries, in days."),
  };
}

/** Settings of a service that stores secrets of third parties. */
export const sealingConfig = {
  SEALING_KEYS: z
    .string()
    .regex(
      /^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/,
      "must be id:base64 of 32 bytes, separated by commas",
    )
    .describe("Keys that seal secrets, `id:base64` of 32 bytes each: the first one seals, all of them open."),
};
