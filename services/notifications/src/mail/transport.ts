// SMTP over verified TLS, with timeouts so short that a request can wait for the result.

import { caCertificates } from "@ems/kit/ca-certificates";
import type { Mailbox } from "./address.ts";
import { unsent } from "./fault.ts";
import type { Mail, MailTransport } from "./mail.ts";

export interface RelaySettings {
  /** URL of the relay: `smtp://` (STARTTLS, port 587) or `smtps://` (TLS at once, port 465), with user and password. */
  readonly url: string;
  /** PEM file with certificate authorities that are trusted in addition to the usual ones. */
  readonly caFile?: string | undefined;
  readonly from: Mailbox;
}

export interface RelayLimits {
  readonly connectMs: number;
  readonly greetingMs: number;
  readonly silenceMs: number;
  readonly timeoutMs: number;
}

/** Size of the pool, which is the maximum number of mails in progress. */
export const relayConnectionsMax = 2;
/** Total timeout for sending a mail. */
export const relayTimeoutMs = 8_000;
const defaultLimits: RelayLimits = { connectMs: 3_000, greetingMs: 3_000, silenceMs: 5_000, timeoutMs: relayTimeoutMs };

/** Creates a pool of connections; the first mail opens one. */
export async function relayTransport(
  { url, caFile, from }: RelaySettings,
  limits: Partial<RelayLimits> = {},
): Promise<MailTransport> {
  const { connectMs, greetingMs, silenceMs, timeoutMs } = { ...defaultLimits, ...limits };
  const { protocol, hostname, port, username, password } = new URL(url);
  const isTlsFromStart = protocol === "smtps:";
  // Loaded here, so that a process without a relay does not load the library.
  const { createTransport } = await import("nodemailer");
  const relay = createTransport({
    pool: true,
    maxConnections: relayConnectionsMax,
    // A mail is retried on another connection only if the first was closed before any byte of the mail was sent.
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
    // For nodemailer, the TLS handshake is part of connecting.
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
    // Keeps mail servers from sending automatic replies.
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
