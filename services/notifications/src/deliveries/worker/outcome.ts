// What came of an attempt. One list for the worker, the log and the API's reference (delivery_service.proto).

import { isIPv6 } from "node:net";
import { ConnectFault } from "./connections.ts";

/** Outcomes that count: the receiver's doing. */
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

/** What keeps an attempt from counting, because it says nothing about the receiver. */
export type OwnFault =
  /** Name servers did not answer. */
  | "RESOLVER"
  /** The process was told to stop. */
  | "SHUTDOWN"
  /** No sockets, no memory, no key to open the secret with. */
  | "LOCAL";

/** Ends attempts whose process stops. */
export class Shutdown extends Error {
  override name = "Shutdown";
}

/** Ends attempts whose time is over. */
export class AttemptTimeout extends Error {
  override name = "AttemptTimeout";
}

export function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return "DELIVERED";
  if (status >= 300 && status < 400) return "REDIRECT";
  return status === 410 ? "GONE" : "HTTP_STATUS";
}

/** No sockets, no memory; a request that cannot be made. */
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
  // Addresses that this machine cannot send to at all.
  "EINVAL",
  "EPERM",
  "EAFNOSUPPORT",
]);
/** No HTTP, too much of it, or no TLS. */
const badAnswers =
  /^(HTTPParserError|HeadersOverflowError|ResponseContentLengthMismatchError|bad upgrade|bad response)$/;
const badTls = /^(ERR_SSL_|EPROTO$)/;
/** OpenSSL's verdicts on certificates, and Node's on names in them. */
const certificateCodes =
  /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CRL_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|ERROR_IN_CERT_|EE_KEY_TOO_SMALL|CA_KEY_TOO_SMALL|CA_MD_TOO_WEAK)/;

/** What an error of an attempt means. */
export function outcomeOfError(error: unknown): { outcome: Outcome } | { fault: OwnFault } {
  if (error instanceof Shutdown) return { fault: "SHUTDOWN" };
  if (error instanceof AttemptTimeout) return { outcome: "TIMEOUT" };
  if (error instanceof ConnectFault) {
    return { outcome: error.code === "CONNECT_TIMEOUT" ? "TIMEOUT" : "NOT_PUBLIC" };
  }
  // Several addresses were tried: the last one says it for all.
  if (error instanceof AggregateError && error.errors.length > 0) return outcomeOfError(error.errors.at(-1));
  const { name, code, message } = facts(error);
  if (code === "EADDRNOTAVAIL" && isToIPv6(error)) return { outcome: "CONNECTION_REFUSED" };
  if (localCodes.has(code) || error instanceof TypeError) return { fault: "LOCAL" };
  if (refusedCodes.has(code)) return { outcome: "CONNECTION_REFUSED" };
  if (code === "ETIMEDOUT") return { outcome: "TIMEOUT" };
  if (certificateCodes.test(code)) return { outcome: "CERTIFICATE" };
  if (badAnswers.test(name) || badAnswers.test(message) || badTls.test(code)) return { outcome: "BAD_ANSWER" };
  return { outcome: "CONNECTION_LOST" };
}

/** A machine without IPv6 has no address of its own for it; for IPv4 the same code says that its ports are used up. */
function isToIPv6(error: unknown): boolean {
  return error instanceof Error && "address" in error && isIPv6(String(error.address));
}

function facts(error: unknown): { name: string; code: string; message: string } {
  if (!(error instanceof Error)) return { name: "", code: "", message: "" };
  return { name: error.name, code: "code" in error ? String(error.code) : "", message: error.message };
}
