// Outcomes of attempts, in one list for the worker, the log and the API reference (delivery_service.proto).

import { isIPv6 } from "node:net";
import { ConnectFailure } from "@ems/kit/hosts";

/** Outcomes that count, because the receiver caused them. */
export type Outcome =
  | "DELIVERED"
  | "HTTP_STATUS"
  | "REDIRECT"
  | "GONE"
  | "TIMEOUT"
  | "NAME_NOT_FOUND"
  | "NOT_PUBLIC"
  | "CONNECTION_REFUSED"
  | "CONNECTION_LOST"
  | "CERTIFICATE"
  | "BAD_ANSWER";

/** Internal errors, which do not count. */
export type OwnFault =
  /** Name servers did not respond. */
  | "RESOLVER"
  /** The process is stopping. */
  | "SHUTDOWN"
  /** No sockets, no memory, or no key to decrypt the secret. */
  | "LOCAL";

/** Aborts attempts when the process stops. */
export class Shutdown extends Error {
  override name = "Shutdown";
}

/** Aborts attempts at their timeout. */
export class AttemptTimeout extends Error {
  override name = "AttemptTimeout";
}

export function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return "DELIVERED";
  if (status >= 300 && status < 400) return "REDIRECT";
  return status === 410 ? "GONE" : "HTTP_STATUS";
}

/** Statuses for which `Retry-After` is followed. */
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);

/** Parses `Retry-After`, seconds or an HTTP date, into milliseconds from `now`. */
export function retryAfterMs(status: number, header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? "";
  if (!busyStatuses.has(status) || text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // HTTP dates start with a weekday; Date.parse would accept other formats too.
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** No sockets, no memory, or an invalid request. */
const localCodes: ReadonlySet<string> = new Set([
  "UND_ERR_INVALID_ARG",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ENOBUFS",
  "EADDRNOTAVAIL",
]);
const refusedCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  "EACCES",
  // Addresses that this machine cannot send to.
  "EINVAL",
  "EPERM",
  "EAFNOSUPPORT",
]);
/** Errors of invalid or oversized HTTP, or of missing TLS. */
const badAnswers =
  /^(HTTPParserError|HeadersOverflowError|ResponseContentLengthMismatchError|bad upgrade|bad response)$/;
const badTls = /^(ERR_SSL_|EPROTO$)/;
/** OpenSSL's codes for certificates, and Node's for the names in them. */
const certificateCodes =
  /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CRL_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|ERROR_IN_CERT_|EE_KEY_TOO_SMALL|CA_KEY_TOO_SMALL|CA_MD_TOO_WEAK)/;

/** Classifies an error of an attempt. */
export function outcomeOfError(error: unknown): { outcome: Outcome } | { fault: OwnFault } {
  if (error instanceof Shutdown) return { fault: "SHUTDOWN" };
  if (error instanceof AttemptTimeout) return { outcome: "TIMEOUT" };
  if (error instanceof ConnectFailure) {
    return { outcome: error.code === "CONNECT_TIMEOUT" ? "TIMEOUT" : "NOT_PUBLIC" };
  }
  // Happy Eyeballs tried several addresses; the last error represents all.
  if (error instanceof AggregateError && error.errors.length > 0) return outcomeOfError(error.errors.at(-1));
  const { name, code, message } = errorFields(error);
  if (code === "EADDRNOTAVAIL" && isToIPv6(error)) return { outcome: "CONNECTION_REFUSED" };
  if (localCodes.has(code) || error instanceof TypeError) return { fault: "LOCAL" };
  if (refusedCodes.has(code)) return { outcome: "CONNECTION_REFUSED" };
  if (code === "ETIMEDOUT") return { outcome: "TIMEOUT" };
  if (certificateCodes.test(code)) return { outcome: "CERTIFICATE" };
  if (badAnswers.test(name) || badAnswers.test(message) || badTls.test(code)) return { outcome: "BAD_ANSWER" };
  return { outcome: "CONNECTION_LOST" };
}

/**
 * True for a connection over IPv6. A machine without IPv6 has no source address; for IPv4 the same code means that its
 * ports are exhausted.
 */
function isToIPv6(error: unknown): boolean {
  return error instanceof Error && "address" in error && isIPv6(String(error.address));
}

function errorFields(error: unknown): { name: string; code: string; message: string } {
  if (!(error instanceof Error)) return { name: "", code: "", message: "" };
  return { name: error.name, code: "code" in error ? String(error.code) : "", message: error.message };
}
