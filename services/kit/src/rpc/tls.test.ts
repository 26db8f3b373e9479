// Calls between processes over TLS: trusted certificates, and renewal without a restart.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { Code, createClient } from "@connectrpc/connect";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { testCall, testTenant } from "@ems/test-support";
import { createTestCa, type KeyAndCertificate } from "@ems/test-support/certificates";
import { testCaller } from "@ems/test-support/rpc-keys";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../log.ts";
import { endpoints } from "./endpoints.ts";
import { serviceInterceptors } from "./interceptors.ts";
import { listenRpc } from "./listen.ts";
import { grpcPeers } from "./peers.ts";
import { mount } from "./service.ts";
import { readAuthorities, readTls } from "./tls.ts";
import { authenticator } from "./tokens/verify.ts";

const gateway = testCaller("gateway");
const [callers, log, tenant] = [["gateway"], createLog("test", "silent"), testTenant()];
const publicKeys = new Map([["gateway", [gateway.publicKey]]]);
const unasked = () => Promise.reject(new Error("unused in this test"));
const users = mount(UserService, {
  listUsers: unasked,
  getUser: unasked,
  createUser: unasked,
  batchGetUsers: async ({ ids }) => ({ users: ids.map((id) => ({ id, name: id })) }),
});
const ca = await createTestCa();
const renewalMs = 20;

function files() {
  const directory = mkdtempSync(join(tmpdir(), "ems-tls-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return (name: string, content: string) => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };
}

async function served(pair: KeyAndCertificate) {
  const write = files();
  const store = ({ cert, key }: KeyAndCertificate) => ({ cert: write("tls.crt", cert), key: write("tls.key", key) });
  const tls = readTls({ cert: "RPC_TLS_CERT_FILE", key: "RPC_TLS_KEY_FILE" }, store(pair), log, renewalMs);
  const authenticate = authenticator({ audience: "identity", callers, publicKeys, log });
  const mounted = endpoints([users], serviceInterceptors({ callers, log }));
  const { port, close } = await listenRpc(mounted, authenticate, "127.0.0.1", 0, { tls });
  onTestFinished(() => close(0));
  return { port, renew: store };
}

/** Calls the service; `trusted` is undefined for cleartext. */
function caller(address: string, trusted: string | undefined) {
  const RPC_TLS_CA_FILE = trusted && files()("ca.crt", trusted);
  const credentials = { RPC_PRIVATE_KEY: gateway.privateKey, RPC_TLS_CA_FILE };
  const { peer, closePeers } = grpcPeers("gateway", credentials, { identity: address }, log);
  onTestFinished(() => closePeers());
  const client = createClient(UserService, peer("identity"));
  return async () => {
    const { users } = await client.batchGetUsers({ ids: ["a"] }, { ...testCall(tenant), timeoutMs: 2_000 });
    return users.length;
  };
}

test.each([
  ["the service's name", "identity"],
  ["the address's host", "127.0.0.1"],
])("a certificate for %s is accepted", async (_, name) => {
  const { port } = await served(await ca.issue([name]));
  await expect(caller(`127.0.0.1:${port}`, ca.cert)()).resolves.toBe(1);
});

test("other names, expired certificates, other authorities and cleartext are refused", async () => {
  const unavailable = { code: Code.Unavailable };
  const own = await served(await ca.issue(["identity"]));
  const address = `127.0.0.1:${own.port}`;
  await expect(caller(address, (await createTestCa()).cert)()).rejects.toMatchObject(unavailable);
  await expect(caller(address, undefined)()).rejects.toMatchObject(unavailable);
  const bad = [await ca.issue(["catalog"]), await ca.issue(["identity"], { expired: true })];
  for (const pair of bad) {
    const { port } = await served(pair);
    await expect(caller(`127.0.0.1:${port}`, ca.cert)()).rejects.toMatchObject(unavailable);
  }
  await expect(caller(address, ca.cert)()).resolves.toBe(1);
});

test.each([
  ["of another key", false],
  ["of the same key", true],
])("a renewed certificate %s is served without a restart", async (_, isSameKey) => {
  const first = await ca.issue(["identity"]);
  const second = await ca.issue(["identity"], isSameKey ? { renewed: first } : {});
  expect(second.key === first.key).toBe(isSameKey);
  const { port, renew } = await served(first);
  const serial = () =>
    new Promise<string>((resolve, reject) => {
      const options = { host: "127.0.0.1", port, ca: ca.cert, servername: "identity", ALPNProtocols: ["h2"] };
      const socket = connectTls(options, () => {
        resolve(socket.getPeerCertificate().serialNumber);
        socket.destroy();
      }).on("error", reject);
    });
  const before = await serial();
  renew(second);
  await vi.waitFor(async () => expect(await serial()).not.toBe(before), 5_000);
  await expect(caller(`127.0.0.1:${port}`, ca.cert)()).resolves.toBe(1);
});

test("a file without certificates fails the start", () => {
  const file = files()("ca.crt", "nothing");
  expect(() => readAuthorities("RPC_TLS_CA_FILE", file)).toThrow(
    /RPC_TLS_CA_FILE cannot be used: it contains no certificate/,
  );
  expect(() => readAuthorities("RPC_TLS_CA_FILE", `${file}.missing`)).toThrow(/RPC_TLS_CA_FILE/);
});
