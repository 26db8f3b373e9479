// A mail relay for tests: a real SMTP server on the loopback that can misbehave.

import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { type TestCa, testCa } from "./ca.ts";

/** A mail as the relay got it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Exactly what came. */
  readonly raw: string;
  /** And what a mail program makes of it. */
  readonly mail: Email;
}

/** What the relay does instead of taking the mail. */
export type Misbehaviour =
  | { at: "greeting" | "recipient" | "data"; code: number }
  /** Says nothing any more. */
  | { at: "greeting" | "data"; silent: true }
  /** Closes the connection when the mail has come, without a word. */
  | { at: "data"; drop: true };

export interface TestRelay {
  /** As the setting has it, with user and password. */
  readonly url: string;
  readonly ca: TestCa;
  readonly mails: readonly ReceivedMail[];
  /** What came whole, taken or not. */
  readonly transmitted: readonly string[];
  readonly connections: number;
  /** Until it is told otherwise; undefined for a good relay. */
  misbehaves(how: Misbehaviour | undefined): void;
  /** Closes every connection, as relays do with idle ones. */
  hangUp(): void;
  close(): Promise<void>;
}

export interface TestRelayOptions {
  /** TLS from the first byte; otherwise by STARTTLS. */
  readonly isImplicit?: boolean;
  /** A relay that knows no TLS at all. */
  readonly isPlain?: boolean;
  readonly isExpired?: boolean;
  /** As a TLS version has it: the newest that the relay speaks. */
  readonly maxVersion?: "TLSv1.1" | "TLSv1.2";
  /** Called with each mail before it is confirmed. */
  readonly onMail?: (mail: ReceivedMail) => Promise<void>;
}

const user = { name: "mailer", password: "p@ss/word" };

export async function testRelay(options: TestRelayOptions = {}): Promise<TestRelay> {
  const { isImplicit = false, isPlain = false, isExpired = false, maxVersion, onMail } = options;
  const ca = await testCa();
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
    ...(await ca.serverCertificate({ isExpired })),
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
      const take = async (raw: Awaited<ReturnType<typeof read>>) => {
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
      // A client may go in the midst of its mail: then there is none.
      void read(stream).then(take, () => undefined);
    },
  });
  // A client that does not trust the certificate ends the handshake, which is its right.
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  return {
    url: `${isImplicit ? "smtps" : "smtp"}://${user.name}:${encodeURIComponent(user.password)}@127.0.0.1:${port}`,
    ca,
    mails,
    transmitted,
    get connections() {
      return connections;
    },
    misbehaves(next) {
      how = next;
    },
    hangUp: () => drop(server),
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await ca.remove();
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

/** Cuts connections: one session's or all. The library keeps sockets to itself; its connections know their session. */
function drop(server: SMTPServer, sessionId?: string): void {
  for (const { session, _socket } of server.connections as Set<{ session: SMTPServerSession; _socket: Socket }>) {
    if (sessionId === undefined || session.id === sessionId) _socket.destroy();
  }
}
