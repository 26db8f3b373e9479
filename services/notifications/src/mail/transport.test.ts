import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import {
  type Misbehaviour,
  type SmtpServer,
  type SmtpServerOptions,
  startSmtpServer,
} from "@ems/test-support/smtp-server";
import { afterEach, expect, test } from "vitest";
import type { MailTransport } from "./mail.ts";
import { type RelayLimits, relayTransport } from "./transport.ts";

const from = { name: "Evaluation Service", address: "ems@example.com" };
const mail = { to: "team@example.com", subject: "Hello", text: "One line\n", html: "<p>One line</p>" };
const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource.close();
});

async function start(options?: SmtpServerOptions): Promise<SmtpServer> {
  const relay = await startSmtpServer(options);
  opened.push(relay);
  return relay;
}
async function connect(relay: SmtpServer, limits?: Partial<RelayLimits>, url = relay.url): Promise<MailTransport> {
  const transport = await relayTransport({ url, caFile: relay.caFile, from }, limits);
  opened.push(transport);
  return transport;
}

test.each([{ isImplicit: false }, { isImplicit: true }])(
  "a mail is sent over verified TLS, authenticated: %o",
  async (tls) => {
    const relay = await start(tls);
    const transport = await connect(relay);
    expect(await transport.send({ ...mail, replyTo: "ada@example.com", id: "1-2" })).toEqual({
      isSent: true,
    });
    const [received] = relay.mails;
    expect(received).toMatchObject({ from: "ems@example.com", to: ["team@example.com"] });
    expect(received?.mail).toMatchObject({
      from,
      to: [{ address: "team@example.com" }],
      replyTo: [{ address: "ada@example.com" }],
      subject: "Hello",
      messageId: "<1-2@example.com>",
      text: expect.stringMatching(/^One line/),
    });
    expect(received?.raw).toContain("Auto-Submitted: auto-generated");
  },
);

test("many mails share two connections", async () => {
  const relay = await start();
  const transport = await connect(relay);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => transport.send(mail)));
  expect(outcomes).toEqual(outcomes.map(() => ({ isSent: true })));
  expect([relay.mails.length, relay.connections]).toEqual([20, 2]);
});

test.each([
  ["does not support TLS", { isPlain: true }],
  ["has an expired certificate", { isExpired: true }],
  ["supports only TLS 1.1", { maxVersion: "TLSv1.1" as const }],
  ["has an expired certificate for implicit TLS", { isExpired: true, isImplicit: true }],
])("a relay that %s receives nothing", async (_, options) => {
  const relay = await start(options);
  const transport = await connect(relay);
  expect(await transport.send(mail)).toMatchObject({ isSent: false, fault: "TLS", isPermanent: false });
  expect(relay.transmitted.length).toBe(0);
});

test("a relay with an untrusted authority receives nothing", async () => {
  const relay = await start();
  const transport = await relayTransport({ url: relay.url, from });
  opened.push(transport);
  expect(await transport.send(mail)).toMatchObject({ isSent: false, fault: "TLS" });
});

test("a relay with a certificate for another name receives nothing", async () => {
  const relay = await start();
  const transport = await connect(relay, {}, relay.url.replace("127.0.0.1", "localhost"));
  expect(await transport.send(mail)).toMatchObject({ isSent: false, fault: "TLS" });
});

test("a wrong password is LOGIN", async () => {
  const relay = await start();
  const transport = await connect(relay, {}, relay.url.replace(/:[^:@/]+@/, ":wrong@"));
  expect(await transport.send(mail)).toMatchObject({ isSent: false, fault: "LOGIN", isPermanent: false });
});

// The two cases with a silent relay wait this long; for all others it is a margin for busy machines.
const limits = { connectMs: 3_000, greetingMs: 3_000, silenceMs: 3_000, timeoutMs: 20_000 };

test.each<[string, Misbehaviour, object]>([
  ["is busy", { at: "greeting", code: 421 }, { fault: "CONNECTION", isPermanent: false, smtpCode: 421 }],
  ["never greets", { at: "greeting", silent: true }, { fault: "TIMEOUT", isPermanent: false }],
  [
    "does not know the recipient",
    { at: "recipient", code: 550 },
    { fault: "REFUSED", isPermanent: true, smtpCode: 550 },
  ],
  ["is full", { at: "recipient", code: 452 }, { fault: "REFUSED_FOR_NOW", isPermanent: false, smtpCode: 452 }],
  [
    "rejects the mail temporarily",
    { at: "data", code: 451 },
    { fault: "REFUSED_FOR_NOW", isPermanent: false, smtpCode: 451 },
  ],
  ["rejects the mail", { at: "data", code: 554 }, { fault: "REFUSED", isPermanent: true, smtpCode: 554 }],
  ["never confirms", { at: "data", silent: true }, { fault: "TIMEOUT", isPermanent: false }],
  ["disconnects instead of confirming", { at: "data", drop: true }, { fault: "CONNECTION", isPermanent: false }],
])("a relay that %s is reported as such, with the mail sent once and the next one sent", async (_, how, fault) => {
  const relay = await start();
  const transport = await connect(relay, limits);
  relay.misbehave(how);
  expect(await transport.send(mail)).toEqual({ isSent: false, ...fault });
  expect(relay.transmitted.length).toBeLessThanOrEqual(1);
  relay.misbehave(undefined);
  expect(await transport.send(mail)).toEqual({ isSent: true });
  expect(relay.mails).toHaveLength(1);
});

test("a closed idle connection is replaced", async () => {
  const relay = await start();
  const transport = await connect(relay);
  await transport.send(mail);
  relay.hangUp();
  expect(await transport.send(mail)).toEqual({ isSent: true });
});

test("a slow relay gets the whole timeout and no more", async () => {
  const dripping = createServer((socket: Socket) => {
    const timer = setInterval(() => socket.write("220-patience\r\n"), 20);
    socket.on("error", () => undefined).on("close", () => clearInterval(timer));
  }).listen(0, "127.0.0.1");
  await once(dripping, "listening");
  opened.push({ close: () => new Promise((resolve) => dripping.close(resolve)) });
  const address = dripping.address();
  const port = typeof address === "object" ? address?.port : 0;
  const url = `smtp://127.0.0.1:${port}`;
  const transport = await relayTransport({ url, from }, { greetingMs: 60_000, timeoutMs: 300 });
  opened.push(transport);
  expect(await transport.send(mail)).toMatchObject({ isSent: false, fault: "TIMEOUT" });
});

test("a mail that queued for its whole timeout is not sent later", async () => {
  const relay = await start();
  const transport = await connect(relay, { timeoutMs: 3_000, silenceMs: 60_000 });
  relay.misbehave({ at: "data", silent: true });
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => transport.send(mail)));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ isSent: false, fault: "TIMEOUT" });
  const { length } = relay.transmitted;
  expect(length).toBeLessThanOrEqual(2);
  relay.misbehave(undefined);
  for (let at = 0; at < 5; at++)
    expect(await transport.send({ ...mail, subject: "Another" })).toEqual({ isSent: true });
  expect(relay.mails.map(({ mail: { subject } }) => subject)).toEqual(Array(5).fill("Another"));
  expect(relay.transmitted.length).toBe(length + 5);
});

test("a refused connection is CONNECTION", async () => {
  const relay = await start();
  const transport = await connect(relay, limits);
  await relay.close();
  opened.splice(opened.indexOf(relay), 1);
  expect(await transport.send(mail)).toMatchObject({ isSent: false, fault: "CONNECTION", isPermanent: false });
});

test("header injection in a mail's parts has no effect", async () => {
  const relay = await start();
  const transport = await connect(relay);
  const subject = "Hello\r\nBcc: eve@evil.example\r\n\r\nIn the body";
  expect(await transport.send({ ...mail, subject, text: ".\r\nMAIL FROM:<eve@evil.example>\r\n.\r\n" })).toEqual({
    isSent: true,
  });
  const [received] = relay.mails;
  expect(received?.to).toEqual(["team@example.com"]);
  expect(received?.mail.headers.map(({ key }) => key)).not.toContain("bcc");
  expect(received?.mail.text).toContain("MAIL FROM:<eve@evil.example>");
});

test("an invalid certificate file prevents the start, and the error omits its path", async () => {
  const relay = await start();
  const file = join(dirname(relay.caFile), "empty.pem");
  const open = (caFile: string) => relayTransport({ url: relay.url, caFile, from });
  await expect(open(file)).rejects.toThrow("SMTP_CA_FILE cannot be read (ENOENT)");
  await writeFile(file, "nothing");
  await expect(open(file)).rejects.toThrow("SMTP_CA_FILE must contain at least one certificate in PEM");
});
