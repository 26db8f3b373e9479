// Outcomes of attempts: one list for the worker, the log and the API reference (delivery_service.proto).

import { isIPv6 } from "node:net";
import { ConnectFailure } from "@ems/kit/hosts";

/** Outcomes that are counted, because the receiver caused them. */
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

/** Internal errors, which are not counted. */
export type OwnFault =
  /** The name servers did not respond. */
  | "RESOLVER"
  /** The process is stopping. */
  | "SHUTDOWN"
  /** No sockets or memory were available, or no key to decrypt the secret. */
  | "LOCAL";

/** Reason for aborting attempts when the process stops. */
export class Shutdown extends Error {
  override name = "Shutdown";
}

/** Reason for aborting an attempt at its timeout. */
export class AttemptTimeout extends Error {
  override name = "AttemptTimeout";
}

export function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return "DELIVERED";
  if (status >= 300 && status < 400) return "REDIRECT";
  return status === 410 ? "GONE" : "HTTP_STATUS";
}

/** Statuses with which `Retry-After` is respected. */
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);

/** Parses `Retry-After`, given as seconds or HTTP date, to milliseconds from `now`. */
export function retryAfterMs(status: number, header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? "";
  if (!busyStatuses.has(status) || text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Checks for a weekday, with which HTTP dates start, because Date.parse would accept other formats too.
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** Codes of internal errors: no sockets, no memory, or an invalid request. */
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
  // Codes for addresses to which this machine cannot send.
  "EINVAL",
  "EPERM",
  "EAFNOSUPPORT",
]);
/** Codes of errors for invalid or oversized HTTP, or missing TLS. */
const badAnswers =
  /^(HTTPParserError|HeadersOverflowError|ResponseContentLengthMismatchError|bad upgrade|bad response)$/;
const badTls = /^(ERR_SSL_|EPROTO$)/;
/** Codes of OpenSSL for certificates, and of Node for the names in them. */
const certificateCodes =
  /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CRL_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|ERROR_IN_CERT_|EE_KEY_TOO_SMALL|CA_KEY_TOO_SMALL|CA_MD_TOO_WEAK)/;

/** Classifies an error that ended an attempt. */
export function outcomeOfError(error: unknown): { outcome: Outcome } | { fault: OwnFault } {
  if (error instanceof Shutdown) return { fault: "SHUTDOWN" };
  if (error instanceof AttemptTimeout) return { outcome: "TIMEOUT" };
  if (error instanceof ConnectFailure) {
    return { outcome: error.code === "CONNECT_TIMEOUT" ? "TIMEOUT" : "NOT_PUBLIC" };
  }
  // Several addresses were tried (Happy Eyeballs); the last error stands for all.
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
 * Returns true for a connection over IPv6. EADDRNOTAVAIL means for IPv6 that the machine has no source address, and
 * for IPv4 that all ports are in use.
 */
function isToIPv6(error: unknown): boolean {
  return error instanceof Error && "address" in error && isIPv6(String(error.address));
}

function errorFields(error: unknown): { name: string; code: string; message: string } {
  if (!(error instanceof Error)) return { name: "", code: "", message: "" };
  return { name: error.name, code: "code" in error ? String(error.code) : "", message: error.message };
}
