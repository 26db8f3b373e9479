// A nats-server whose users are signed by an operator (JWT), over TLS.

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type NatsServer, startNatsServer } from "@ems/dev/nats-server";
import { temporaryDir } from "@ems/dev/temporary-dir";
import type { NatsPermissions } from "@ems/kit/events/nats/permissions";
import {
  createAccount,
  createOperator,
  createUser,
  encodeAccount,
  encodeOperator,
  encodeUser,
  fmtCreds,
} from "@nats-io/jwt";
import { afterAll, inject } from "vitest";
import { createTestCa } from "./certificates.ts";

export interface TestNatsOperator {
  /** `tls://` URL without credentials. */
  readonly url: string;
  /** Certificate of the server's authority. */
  readonly caFile: string;
  /** Credentials of a new user with those permissions (default: all), in a file (default: a new one). */
  credentials(permissions?: NatsPermissions, file?: string): Promise<string>;
  /** Credentials of a user that this server does not have, in a file. */
  foreignCredentials(): Promise<string>;
  /** Restarts the server without its users. */
  forgetUsers(): Promise<void>;
}

const gib = 1024 ** 3;
const unlimited = { data: -1, payload: -1, subs: -1 };
const accountLimits = { imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1, disallow_bearer: true };
/** Only what the documentation for operators requires. */
const storage = { mem_storage: 0, disk_storage: 10 * gib, streams: 1, consumer: 1 };

/** An empty list would allow everything. */
const allowing = (subjects: readonly string[]) => (subjects.length === 0 ? { deny: [">"] } : { allow: [...subjects] });

/** A server for a test file; removed after the file's tests. */
export async function testNatsOperator(): Promise<TestNatsOperator> {
  const dir = await temporaryDir("ems-test-nats-operator-");
  const ca = await createTestCa();
  const { key, cert } = await ca.issue(["localhost"]);
  const writeTo = async (name: string, text: string | Uint8Array) => {
    const file = join(dir, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };
  const tls = { key: await writeTo("server.key", key), cert: await writeTo("server.crt", cert) };
  const operator = createOperator();
  const system = createAccount();
  let account = createAccount();
  let port: number | undefined;
  const start = async () =>
    startNatsServer({
      binary: inject("natsServer"),
      dir,
      ...(port !== undefined && { port }),
      access: `
operator: ${await encodeOperator("operator", operator, { system_account: system.getPublicKey() })}
resolver: MEMORY
resolver_preload: {
  ${system.getPublicKey()}: ${await encodeAccount("system", system, {}, { signer: operator })}
  ${account.getPublicKey()}: ${await encodeAccount("ems", account, { limits: { ...unlimited, ...accountLimits, ...storage } }, { signer: operator })}
}
tls { cert_file: ${JSON.stringify(tls.cert)}, key_file: ${JSON.stringify(tls.key)} }`,
    });
  let server: NatsServer = await start();
  port = server.port;
  afterAll(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });
  let users = 0;
  const createCredentials = async (issuer: typeof account, permissions?: NatsPermissions, file?: string) => {
    const user = createUser();
    const { publish, subscribe } = permissions ?? { publish: [">"], subscribe: [">"] };
    const granted = { ...unlimited, pub: allowing(publish), sub: allowing(subscribe) };
    const text = fmtCreds(await encodeUser("ems", user, issuer, granted), user);
    if (file === undefined) return writeTo(`user-${++users}.creds`, text);
    await writeFile(file, text);
    return file;
  };
  return {
    url: `tls://localhost:${port}`,
    caFile: await writeTo("ca.crt", ca.cert),
    credentials: (permissions, file) => createCredentials(account, permissions, file),
    foreignCredentials: () => createCredentials(createAccount()),
    forgetUsers: async () => {
      await server.stop();
      account = createAccount();
      server = await start();
    },
  };
}
