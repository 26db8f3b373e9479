// Configuration: environment variables, checked once at start. All faults are told at once, by name and without values,
// since a value may be a secret.

import { z } from "zod";
import { readPrivateKey, readPublicKeys } from "./rpc/tokens/keys.ts";

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
export function readConfigAndPeers<Config, Peers>(
  config: () => Config,
  peers: () => Peers,
): { config: Config; peers: Peers } {
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
/** Host names without a port, in small letters. */
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
/** `host:port`, or several joined by commas; a host name may stand for several addresses. */
export const address = () =>
  z
    .string()
    .regex(
      /^([^:/\s,[\]]+|\[[0-9a-fA-F:]+\]):\d+(,([^:/\s,[\]]+|\[[0-9a-fA-F:]+\]):\d+)*$/,
      "must be host:port, or several joined by commas",
    );

/** A key or keys, as `read` makes them of text. */
function keys<T>(read: (text: string) => T | undefined, fault: string) {
  const required =
    "is required: each process of a mesh has a key of its own, in place of RPC_SECRET (deploy/README.md, Keys)";
  return z.string(required).transform((text, context) => {
    const made = read(text);
    if (made !== undefined) return made;
    context.addIssue(fault);
    return z.NEVER;
  });
}

/** By what the processes of a mesh know each other. */
export const callerConfig = {
  /** The process's own private key (Ed25519, PKCS #8: PEM, or base64 of DER). Its calls carry tokens signed with it. */
  RPC_PRIVATE_KEY: keys(readPrivateKey, "must be an Ed25519 key in PKCS #8: PEM, or base64 of DER"),
  /** The public keys of all: `name:key` joined by commas, a key as base64 of DER (SPKI); two of a name while it changes. */
  RPC_PUBLIC_KEYS: keys(
    readPublicKeys,
    "must be name:key joined by commas, each Ed25519 as base64 of DER (SPKI), at most two of a name",
  ),
};

export type CallerConfig = z.infer<z.ZodObject<typeof callerConfig>>;

/** What every process is told. */
export const processConfig = {
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  /** Where /livez and /readyz of the process answer; 0 takes a free port. */
  ADMIN_PORT: port().default(0),
  ADMIN_HOST: z.string().default("127.0.0.1"),
  /**
   * By which names, beside addresses and names without a dot, `/metrics` and pages may be asked for, separated by commas; one
   * that begins with a dot stands for all that end so, such as `.svc.cluster.local`.
   */
  ADMIN_HOSTS: hostNames().default([]),
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
   * User and password, or a token, stand before the host where they are needed; each process has a user of its own, with what
   * deploy/README.md lists. Without NATS events wait in the outboxes, and the gateway hears of deleted API keys only when it
   * asks again.
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
  RPC_HOST: z.string().default("127.0.0.1"),
  RPC_PORT: port(),
  /** Who may call: names of the mesh's table (deploy/mesh.ts). */
  RPC_CALLERS: list(),
  ...callerConfig,
  DATABASE_URL: postgresUrl(),
  /** Connections of one process. An application has half of them at most, and never more than are left over. */
  DATABASE_POOL_MAX: count().default(10),
  /** So many requests of one application wait for a connection, for 2.5 s at most; one more is told to come again. */
  DATABASE_WAITING_MAX: count().default(100),
  /** How long a read may take, such as a page of a list; reports and changes have until their deadlines. */
  DATABASE_READ_MS: milliseconds().default(5_000),
};

/** What a service is told, beside that, that has events to tell. */
export const outboxConfig = {
  ...natsConfig,
  /** The same database as the service's relay role (ems_<service>_relay), which carries events out of its outbox. */
  RELAY_DATABASE_URL: postgresUrl(),
};
