// A real SMTP server on loopback that can misbehave.

import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { temporaryDir } from "@ems/dev/temporary-dir";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { createTestCa } from "../certificates.ts";

/** A received mail. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The message as transmitted. */
  readonly raw: string;
  /** The message parsed. */
  readonly mail: Email;
}

/** Faults of the server instead of accepting a mail. */
export type Misbehaviour =
  | { at: "greeting" | "recipient" | "data"; code: number }
  /** Stops answering. */
  | { at: "greeting" | "data"; silent: true }
  /** Closes the connection after the data, without a reply. */
  | { at: "data"; drop: true };

export interface SmtpServer {
  /** For `SMTP_URL`, with user and password. */
  readonly url: string;
  /** Certificate of its authority, for `SMTP_CA_FILE`. */
  readonly caFile: string;
  readonly mails: readonly ReceivedMail[];
  /** Completely transmitted messages, accepted or not. */
  readonly transmitted: readonly string[];
  readonly connections: number;
  /** In effect until the next call; undefined for a healthy server. */
  misbehave(how: Misbehaviour | undefined): void;
  /** Closes every connection, as servers do with idle ones. */
  hangUp(): void;
  close(): Promise<void>;
}

export interface SmtpServerOptions {
  /** TLS from the first byte; otherwise by STARTTLS. */
  readonly isImplicit?: boolean;
  /** A server without TLS. */
  readonly isPlain?: boolean;
  readonly isExpired?: boolean;
  /** The newest TLS version that it supports. */
  readonly maxVersion?: "TLSv1.1" | "TLSv1.2";
  /** Called with each mail before it is confirmed. */
  readonly onMail?: (mail: ReceivedMail) => Promise<void>;
}

const user = { name: "mailer", password: "p@ss/word" };

export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<SmtpServer> {
  const { isImplicit = false, isPlain = false, isExpired = false, maxVersion, onMail } = options;
  const ca = await createTestCa();
  const dir = await temporaryDir("ems-test-smtp-");
  const caFile = join(dir, "ca.pem");
  await writeFile(caFile, ca.cert);
  const mails: ReceivedMail[] = [];
  const transmitted: string[] = [];
  let connections = 0;
  let how: Misbehaviour | undefined;
  const refusal = (at: Misbehaviour["at"]) => {
    if (how?.at !== at || !("code" in how)) return null;
    return Object.assign(new Error("not today"), { responseCode: how.code });
  };
  const isSilent = (at: Misbehaviour["at"]) => how !== undefined && how.at === at && "silent" in how;

  const server = new SMTPServer({
    ...(await ca.issue(["127.0.0.1"], { expired: isExpired })),
    ...(maxVersion && { maxVersion, minVersion: "TLSv1" as const, ciphers: "DEFAULT@SECLEVEL=0" }),
    secure: isImplicit,
    disableReverseLookup: true,
    disabledCommands: isPlain ? ["STARTTLS"] : [],
    allowInsecureAuth: isPlain,
    closeTimeout: 1,
    onConnect(_, done) {
      connections++;
      if (!isSilent("greeting")) done(refusal("greeting"));
    },
    onAuth({ username, password }, _, done) {
      const isRight = username === user.name && password === user.password;
      done(isRight ? null : new Error("unknown user"), isRight ? { user: username } : undefined);
    },
    onRcptTo: (_, __, done) => done(refusal("recipient")),
    onData(stream, session, done) {
      const receive = async (raw: Awaited<ReturnType<typeof read>>) => {
        transmitted.push(raw);
        if (isSilent("data")) return;
        if (how?.at === "data" && "drop" in how) return drop(server, session.id);
        const refused = refusal("data");
        if (refused === null) {
          const mail = await received(raw, session);
          mails.push(mail);
          await onMail?.(mail);
        }
        done(refused);
      };
      // A client that disconnects within a mail has sent none.
      void read(stream).then(receive, () => undefined);
    },
  });
  // A client that does not trust the certificate ends the handshake.
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  return {
    url: `${isImplicit ? "smtps" : "smtp"}://${user.name}:${encodeURIComponent(user.password)}@127.0.0.1:${port}`,
    caFile,
    mails,
    transmitted,
    get connections() {
      return connections;
    },
    misbehave(next) {
      how = next;
    },
    hangUp: () => drop(server),
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(dir, { recursive: true });
    },
  };
}

async function read(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function received(raw: string, { envelope }: SMTPServerSession): Promise<ReceivedMail> {
  const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
  return { from, to: envelope.rcptTo.map(({ address }) => address), raw, mail: await PostalMime.parse(raw) };
}

/** Closes connections: those of one session, or all. The library hides sockets; its connections have their session. */
function drop(server: SMTPServer, sessionId?: string): void {
  for (const { session, _socket } of server.connections as Set<{ session: SMTPServerSession; _socket: Socket }>) {
    if (sessionId === undefined || session.id === sessionId) _socket.destroy();
  }
}
