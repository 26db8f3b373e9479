// SMTP over verified TLS, with timeouts short enough for a request to wait.

import { caCertificates } from "@ems/kit/ca-certificates";
import type { Mailbox } from "./address.ts";
import { unsent } from "./fault.ts";
import type { Mail, MailTransport } from "./mail.ts";

export interface RelaySettings {
  /** `smtp://` (STARTTLS, port 587) or `smtps://` (TLS from the start, port 465), with user and password. */
  readonly url: string;
  /** File with authorities (PEM) that are trusted in addition to the usual ones. */
  readonly caFile?: string | undefined;
  readonly from: Mailbox;
}

export interface RelayLimits {
  readonly connectMs: number;
  readonly greetingMs: number;
  readonly silenceMs: number;
  readonly timeoutMs: number;
}

/** Pool size: the maximum number of mails in progress. */
export const relayConnectionsMax = 2;
/** Total timeout of a mail. */
export const relayTimeoutMs = 8_000;
const defaultLimits: RelayLimits = { connectMs: 3_000, greetingMs: 3_000, silenceMs: 5_000, timeoutMs: relayTimeoutMs };

/** Creates a connection pool, opened by the first mail. */
export async function relayTransport(
  { url, caFile, from }: RelaySettings,
  limits: Partial<RelayLimits> = {},
): Promise<MailTransport> {
  const { connectMs, greetingMs, silenceMs, timeoutMs } = { ...defaultLimits, ...limits };
  const { protocol, hostname, port, username, password } = new URL(url);
  const isTlsFromStart = protocol === "smtps:";
  // A process without a relay does not load the library.
  const { createTransport } = await import("nodemailer");
  const relay = createTransport({
    pool: true,
    maxConnections: relayConnectionsMax,
    // Retried on another connection only if the first was closed before a byte of the mail was sent.
    maxRequeues: 1,
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isTlsFromStart ? 465 : 587) : Number(port),
    ...(username !== "" && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    secure: isTlsFromStart,
    requireTLS: true,
    tls: {
      minVersion: "TLSv1.2",
      rejectUnauthorized: true,
      ...(caFile !== undefined && { ca: await caCertificates("SMTP_CA_FILE", caFile) }),
    },
    // nodemailer counts the TLS handshake as part of connecting.
    connectionTimeout: connectMs + greetingMs,
    greetingTimeout: greetingMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send(mail) {
      const message = { ...toMessage(mail, from), signal: AbortSignal.timeout(timeoutMs) };
      return relay.sendMail(message).then(() => ({ isSent: true }), unsent);
    },
    close: () => relay.close(),
  };
}

/** Converts a mail to nodemailer's form. */
export function toMessage({ to, subject, text, html, replyTo, id }: Mail, from: Mailbox) {
  return {
    from: { ...from },
    to: { name: "", address: to },
    subject,
    text,
    html,
    ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
    ...(id !== undefined && { messageId: `<${id}@${from.address.split("@")[1]}>` }),
    // Suppresses automatic replies.
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
