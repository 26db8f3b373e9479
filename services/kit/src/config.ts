// Configuration: environment variables, checked once at start. All faults are told at once, by name and without values,
// since a value may be a secret.

import { z } from "zod";

export { z } from "zod";

/** The configuration cannot be used; the message names every variable at fault. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

/** Reads `shape`'s variables from `env`. An empty variable counts as absent. */
export function readConfig<Shape extends z.ZodRawShape>(shape: Shape, env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const result = z.object(shape).safeParse(given);
  if (result.success) return result.data;
  // Of what is not set, a type would say that it is undefined, or not a number.
  const isSaid = (name: unknown, message: string) =>
    Object.hasOwn(given, String(name)) || message.startsWith("is required");
  const faults = result.error.issues.map(
    ({ path, message }) => `${path.join(".")}: ${isSaid(path[0], message) ? message : "is required, and not set"}`,
  );
  throw new ConfigError(faults);
}

/** Reads the two parts of a process's configuration: its own settings, and where its peers are. */
export function readBoth<Config, Peers>(config: () => Config, peers: () => Peers): { config: Config; peers: Peers } {
  const faults = [config, peers].flatMap((read) => faultsOf(read));
  if (faults.length > 0) throw new ConfigError(faults);
  return { config: config(), peers: peers() };
}

function faultsOf(read: () => unknown): readonly string[] {
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
export const flag = () => z.enum(["true", "false"]).transform((text) => text === "true");
export const list = () =>
  z.string().transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
  );
export const postgresUrl = () => z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" });
export const natsUrl = () =>
  z
    .string()
    .regex(
      /^(nats|tls):\/\/[^\s,]+(, *(nats|tls):\/\/[^\s,]+)*$/,
      "must be nats:// or tls:// URLs, separated by commas",
    );
/** `host:port`, or several joined by commas; a host name may stand for several addresses. */
export const address = () =>
  z
    .string()
    .regex(
      /^([^:/\s,[\]]+|\[[0-9a-fA-F:]+\]):\d+(,([^:/\s,[\]]+|\[[0-9a-fA-F:]+\]):\d+)*$/,
      "must be host:port, or several joined by commas",
    );

/** What every process is told. */
export const processConfig = {
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  /** Where /livez and /readyz of the process answer; 0 takes a free port. */
  ADMIN_PORT: port().default(0),
  ADMIN_HOST: z.string().default("127.0.0.1"),
  /** How long a stopping process stays open after saying that it is not ready, so that nobody is sent to it any more. */
  DRAIN_DELAY_MS: milliseconds().default(5_000),
  /** Where traces go: an OTLP/HTTP receiver, such as `http://collector:4318`. Without one nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" }).optional(),
  /** The share of requests that are traced, 0 to 1, where whoever asks has not decided. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
};

/** What a process is told of NATS, which carries events between processes. */
export const natsConfig = {
  /**
   * User and password, or a token, stand before the host where they are needed. Without NATS events wait in the outboxes,
   * and the gateway hears of deleted API keys only when it asks again.
   */
  NATS_URL: natsUrl().optional(),
  /** A credentials file (JWT and seed), where the server wants one. */
  NATS_CREDENTIALS_FILE: z.string().optional(),
  /** Certificates (PEM) to be trusted for NATS beside the system's. With them the connection is encrypted, or there is none. */
  NATS_CA_FILE: z.string().optional(),
};

/** What every service is told, beside the addresses of its peers. */
export const serviceConfig = {
  ...processConfig,
  ...natsConfig,
  /** On how many servers of the NATS cluster an event is stored; 3 where there are three. */
  NATS_REPLICAS: count().default(1),
  RPC_HOST: z.string().default("127.0.0.1"),
  RPC_PORT: port(),
  /** Who may call: names of the mesh's table (deploy/mesh.ts). */
  RPC_CALLERS: list(),
  /** Shared by the processes of one mesh: proves a caller's name. */
  RPC_SECRET: z.string().min(32, "must have at least 32 characters"),
  DATABASE_URL: postgresUrl(),
  /** The same database as the role that carries events out of outboxes (ems_relay). */
  RELAY_DATABASE_URL: postgresUrl(),
  DATABASE_POOL_MAX: count().default(10),
};
