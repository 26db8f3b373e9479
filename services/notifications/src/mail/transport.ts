// The way to the mail relay: always over TLS whose certificate was verified, and never longer than a request can wait.

import { caCertificates } from "@ems/kit/ca-certificates";
import { createTransport } from "nodemailer";
import type { Mailbox } from "./address.ts";
import { unsent } from "./fault.ts";
import type { Mail, MailTransport } from "./mail.ts";

export interface RelaySettings {
  /** `smtp://` (STARTTLS, port 587) or `smtps://` (TLS from the start, port 465), with user and password. */
  readonly url: string;
  /** Certificates in PEM that are trusted beside the usual ones. */
  readonly caFile?: string | undefined;
  readonly from: Mailbox;
}

/** How long each part may take. */
export interface RelayLimits {
  readonly connectMs: number;
  readonly greetingMs: number;
  readonly silenceMs: number;
  readonly wholeMs: number;
}

/** Connections to the relay: as many mails go out at one time. */
export const connectionsMax = 2;
/** How long a mail may take. */
export const wholeMs = 8_000;
const usualLimits: RelayLimits = { connectMs: 3_000, greetingMs: 3_000, silenceMs: 5_000, wholeMs };

/** A pool of connections to the relay; none is opened before the first mail. */
export async function relayTransport(
  { url, caFile, from }: RelaySettings,
  limits: Partial<RelayLimits> = {},
): Promise<MailTransport> {
  const { connectMs, greetingMs, silenceMs, wholeMs: allMs } = { ...usualLimits, ...limits };
  const { protocol, hostname, port, username, password } = new URL(url);
  const isImplicit = protocol === "smtps:";
  const relay = createTransport({
    pool: true,
    maxConnections: connectionsMax,
    // A mail goes over another connection only when the first was gone before a byte of the mail was sent.
    maxRequeues: 1,
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isImplicit ? 465 : 587) : Number(port),
    ...(username !== "" && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    secure: isImplicit,
    requireTLS: true,
    tls: {
      minVersion: "TLSv1.2",
      rejectUnauthorized: true,
      ...(caFile !== undefined && { ca: await caCertificates("SMTP_CA_FILE", caFile) }),
    },
    // The library takes TLS as part of connecting; each has its own share.
    connectionTimeout: connectMs + greetingMs,
    greetingTimeout: greetingMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send(mail) {
      const message = { ...messageOf(mail, from), signal: AbortSignal.timeout(allMs) };
      return relay.sendMail(message).then(() => ({ isSent: true }), unsent);
    },
    close: () => relay.close(),
  };
}

/** A mail as the library takes it. */
export function messageOf({ to, subject, text, html, replyTo, id }: Mail, from: Mailbox) {
  return {
    from: { ...from },
    to: { name: "", address: to },
    subject,
    text,
    html,
    ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
    ...(id !== undefined && { messageId: `<${id}@${from.address.split("@")[1]}>` }),
    // No absence note answers a machine.
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
