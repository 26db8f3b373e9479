// Environment of deliveries, on loopback: a name server, an authority, and receivers with names and certificates.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestCa, type KeyAndCertificate, type TestCa } from "../certificates.ts";
import { type DnsServer, startDnsServer } from "./dns-server.ts";
import { type Receiver, type ReceiverOptions, startReceiver } from "./receiver.ts";

/** Receivers have these addresses; the rest of loopback stays forbidden. */
const receiversCidr = "127.0.1.0/24";

export interface NamedReceiver extends Receiver {
  /** `https://<name>:<port>`, without a path. */
  readonly origin: string;
}

export interface WebhookNetwork {
  readonly dns: DnsServer;
  readonly ca: TestCa;
  readonly caFile: string;
  /** Settings with which a process delivers here. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts a receiver called `name`, by default with a certificate of the authority. */
  receiver(name: string, options?: Partial<Omit<ReceiverOptions, "identity">> & Identity): Promise<NamedReceiver>;
  close(): Promise<void>;
}

interface Identity {
  readonly identity?: KeyAndCertificate;
}

export async function startWebhookNetwork(): Promise<WebhookNetwork> {
  const [dns, ca, directory] = await Promise.all([
    startDnsServer(),
    createTestCa(),
    mkdtemp(join(tmpdir(), "ems-test-ca-")),
  ]);
  const caFile = join(directory, "ca.pem");
  await writeFile(caFile, ca.cert);
  const receivers: Receiver[] = [];
  return {
    dns,
    ca,
    caFile,
    env: { DNS_SERVERS: dns.address, WEBHOOK_CA_FILE: caFile, WEBHOOK_ALLOW_CIDRS: receiversCidr },
    async receiver(name, { host = "127.0.1.1", identity, ...options } = {}) {
      const receiver = await startReceiver({ identity: identity ?? (await ca.issue([name, host])), host, ...options });
      receivers.push(receiver);
      dns.set(name, [host]);
      return Object.assign(receiver, { origin: `https://${name}:${receiver.port}` });
    },
    async close() {
      await Promise.all([dns.close(), ...receivers.map((receiver) => receiver.close())]);
      await rm(directory, { recursive: true });
    },
  };
}
