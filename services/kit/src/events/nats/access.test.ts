// Credentials files and TLS, against a real nats-server in operator mode.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { capturedLog, testEvent, testEventHandler } from "@ems/test-support";
import { testNatsOperator } from "@ems/test-support/nats-operator";
import { expect, test } from "vitest";
import { createLog } from "../../log.ts";
import { openNatsBus } from "./bus.ts";

const nats = await testNatsOperator();
const { url, caFile } = nats;
const poll = <T>(look: () => T) => expect.poll(look, { timeout: 60_000, interval: 10 });
const silent = createLog("test", "silent");
const open = (options: { credentialsFile?: string; caFile?: string }, log = silent) =>
  openNatsBus({ url, caFile, name: "test", replicas: 1, log, ...options });

/** Reads the JWT and the seed from a credentials file that no other user may read. */
async function secretsIn(file: string): Promise<string[]> {
  return (await readFile(file, "utf8")).split("\n").filter((line) => /^(ey|SU)/.test(line));
}

test("events are published and consumed with a credentials file over TLS with a custom CA", async () => {
  const bus = await open({ credentialsFile: await nats.credentials() });
  const consumer = testEventHandler();
  const consumption = bus.consume(consumer);
  const published = testEvent();
  await bus.publish(published);
  const { body, isJson, payload, ...event } = published;
  await poll(() => consumer.handled).toEqual([event]);
  await consumption.stop();
  await bus.close();
});

test("renewed credentials are read from the file when the server requires them, without a restart", async () => {
  const credentialsFile = await nats.credentials();
  const { log, text } = capturedLog();
  const bus = await open({ credentialsFile }, log);
  await poll(() => bus.isUp).toBe(true);
  await nats.forgetUsers();
  await poll(text).toContain("NATS reported an error");
  expect(bus.isUp).toBe(false);
  await nats.credentials(undefined, credentialsFile);
  await poll(() => bus.isUp).toBe(true);
  await bus.close();
});

test("refused credentials are reported by their setting and retried", async () => {
  const credentialsFile = await nats.foreignCredentials();
  const { log, text } = capturedLog();
  const bus = await open({ credentialsFile }, log);
  expect(bus.isUp).toBe(false);
  await poll(text).toContain("NATS refused the connection");
  expect(text()).toContain("NATS_CREDENTIALS_FILE: 'Authorization Violation'");
  const secrets = await secretsIn(credentialsFile);
  expect(secrets).toHaveLength(2);
  for (const secret of secrets) expect(text()).not.toContain(secret);
  await nats.credentials(undefined, credentialsFile);
  await poll(() => bus.isUp).toBe(true);
  await bus.close();
});

test("without credentials there is no connection, and the log names the settings", async () => {
  const { log, text } = capturedLog();
  const bus = await open({}, log);
  expect(bus.isUp).toBe(false);
  await poll(text).toMatch(/NATS_URL.*Authorization Violation/);
  await bus.close();
});

test("an invalid credentials file fails the start, without quoting the file", async () => {
  const file = await nats.credentials();
  const [jwt = "", seed = ""] = await secretsIn(file);
  await expect(open({ credentialsFile: `${file}.gone` })).rejects.toThrow(
    "NATS_CREDENTIALS_FILE cannot be read (ENOENT)",
  );
  for (const text of [
    "",
    jwt,
    `-----BEGIN-----\n${jwt}\n-----END-----\n\n-----BEGIN-----\n${seed.slice(0, -1)}\n-----END-----\n`,
  ]) {
    await writeFile(file, text);
    await expect(open({ credentialsFile: file })).rejects.toThrow(
      /^NATS_CREDENTIALS_FILE must contain NATS credentials: a JWT and a seed$/,
    );
  }
});

test.each(["127.0.0.1", "[::1]"])("with TLS a server must have a host name, which %s is not", async (host) => {
  const servers = `tls://nats.example:4222,tls://${host}:4222`;
  await expect(openNatsBus({ url: servers, name: "test", replicas: 1, log: silent })).rejects.toThrow(
    "NATS_URL must have a host name",
  );
});

test("an untrusted server and an invalid CA file are reported by their setting", async () => {
  const credentialsFile = await nats.credentials();
  const { log, text } = capturedLog();
  const options = { url, name: "test", replicas: 1, credentialsFile };
  const bus = await openNatsBus({ ...options, log });
  expect(bus.isUp).toBe(false);
  await poll(text).toContain("set NATS_CA_FILE to the CA certificates to trust");
  await bus.close();
  await expect(open({ credentialsFile, caFile: fileURLToPath(import.meta.url) })).rejects.toThrow(
    "NATS_CA_FILE must contain at least one certificate in PEM",
  );
});
