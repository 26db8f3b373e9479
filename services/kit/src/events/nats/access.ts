// Connection options of NATS: addresses, credentials and CA certificates. Descriptions of failures contain no secrets.

import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { type Authenticator, type ConnectionOptions, credsAuthenticator, ErrorCode, NatsError } from "nats";
import { caCertificates } from "../../ca-certificates.ts";
import { getInboxPrefix } from "./permissions.ts";

export interface NatsAccess {
  /** `nats://` or `tls://`, with user and password or a token if needed; several for a cluster, separated by commas. */
  readonly url: string;
  /** A file of NATS credentials (JWT and seed). */
  readonly credentialsFile?: string | undefined;
  /** Additional CA certificates (PEM). */
  readonly caFile?: string | undefined;
  /** User `ems-<process>`: it alone may subscribe to its reply subjects (permissions.ts). */
  readonly name: string;
}

export interface NatsSettings {
  readonly NATS_URL?: string | undefined;
  readonly NATS_CREDENTIALS_FILE?: string | undefined;
  readonly NATS_CA_FILE?: string | undefined;
}

const handshakeMs = 2_000;
const retryMs = 250;

/** Reads the access from the settings; undefined if they contain no NATS server. */
export function natsAccess(settings: NatsSettings, name: string): NatsAccess | undefined {
  const { NATS_URL: url, NATS_CREDENTIALS_FILE: credentialsFile, NATS_CA_FILE: caFile } = settings;
  return url === undefined ? undefined : { url, credentialsFile, caFile, name };
}

/**
 * Rejects if a file that a setting names is unusable, or if TLS is used with addresses without host names: the client
 * would check their certificates against `localhost`.
 */
export async function connectionOptions({
  url,
  credentialsFile,
  caFile,
  name,
}: NatsAccess): Promise<ConnectionOptions> {
  const urls = url.split(",").map((server) => new URL(server.trim()));
  const [first] = urls;
  const user = decodeURIComponent(first?.username ?? "");
  const pass = decodeURIComponent(first?.password ?? "");
  const isTls = caFile !== undefined || urls.some(({ protocol }) => protocol === "tls:");
  if (isTls && urls.some(({ hostname }) => isIP(hostname.replace(/^\[|\]$/g, "")) !== 0)) {
    throw new Error("NATS_URL must have a host name if TLS is used: certificates are checked against it");
  }
  return {
    servers: urls.map(({ host }) => host),
    name,
    inboxPrefix: getInboxPrefix(name),
    ...(credentialsFile && { authenticator: credentials(credentialsFile) }),
    ...(user && (pass ? { user, pass } : { token: user })),
    ...(isTls && { tls: caFile ? { ca: (await caCertificates("NATS_CA_FILE", caFile)).join("\n") } : {} }),
    timeout: handshakeMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    // Keep retrying after refused credentials: the server may accept them later.
    ignoreAuthErrorAbort: true,
    pingInterval: 5_000,
    maxPingOut: 2,
    noAsyncTraces: true,
  };
}

/** Returns true if the server denied access; a retry alone does not help. */
export function isRefused(error: unknown): boolean {
  return error instanceof NatsError && (error.isAuthError() || error.isPermissionError());
}

/** Describes a connection failure without secrets. */
export function describeConnectionFailure(error: unknown, access: Pick<NatsAccess, "url" | "credentialsFile">): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof NatsError && error.isAuthError()) {
    if (access.credentialsFile) return `NATS_CREDENTIALS_FILE: ${error.message}`;
    return `user and password, or the token, of NATS_URL: ${error.message}`;
  }
  if (error instanceof NatsError && error.code === ErrorCode.ServerOptionNotAvailable) {
    return "the server does not offer TLS, which NATS_CA_FILE or tls:// in NATS_URL requires";
  }
  const isUntrusted = "code" in error && /CERT|SIGNATURE/.test(String(error.code));
  return isUntrusted
    ? `the server's certificate: ${error.message}; set NATS_CA_FILE to the CA certificates to trust`
    : error.message;
}

/** Reads the file at each connect, so that credentials can be renewed. */
function credentials(file: string): Authenticator {
  const authenticator = credsAuthenticator(() => read(file));
  read(file);
  try {
    authenticator("any");
  } catch {
    // Omits the cause, which may quote the credentials.
    throw new Error("NATS_CREDENTIALS_FILE must contain NATS credentials: a JWT and a seed");
  }
  return authenticator;
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`NATS_CREDENTIALS_FILE cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
