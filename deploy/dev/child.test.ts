// Tests a mesh process whose database is unavailable when the process starts.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { identitySchema } from "@ems/identity/schema";
import { secureRandom } from "@ems/kit/id";
import { listPublicKeys, newPrivateKey } from "@ems/kit/rpc/tokens/keys";
import { testDatabase } from "@ems/test-support";
import { testKeys } from "@ems/test-support/rpc-keys";
import { afterAll, expect, inject, test } from "vitest";
import { type Child, startChild, stopChild } from "./child.ts";

const database = await testDatabase(inject("postgres"));
const identityKey = newPrivateKey();
const children: Child[] = [];
afterAll(async () => {
  await Promise.all(children.map(stopChild));
  await database.drop();
});

/** Returns ports that are currently free. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

/** Starts the identity service with another port or name of its database. */
function identity(adminPort: number, change: { port?: string; pathname?: string }): Child {
  const at = (url: string) => Object.assign(new URL(url), change).href;
  const child = startChild(
    "identity",
    {
      ADMIN_PORT: String(adminPort),
      RPC_PORT: "0",
      RPC_CALLERS: "gateway",
      DRAIN_DELAY_MS: "0",
      LOG_LEVEL: "error",
      RPC_PRIVATE_KEY: identityKey,
      RPC_PUBLIC_KEYS: `${listPublicKeys({ identity: identityKey })},${testKeys.RPC_PUBLIC_KEYS}`,
      API_KEY_PEPPERS: secureRandom(24).toString("hex"),
      DATABASE_URL: at(database.getUrl(identitySchema)),
      RELAY_DATABASE_URL: at(database.getRelayUrl(identitySchema)),
    },
    () => undefined,
  );
  children.push(child);
  return child;
}

const readStatus = (port: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status,
    () => undefined,
  );

test("a process without its database is alive but not ready, and becomes ready without a restart", {
  timeout: 120_000,
}, async () => {
  const [adminPort = 0, port = 0] = await freePorts(2);
  const { process: child } = identity(adminPort, { port: String(port) });
  await expect.poll(() => readStatus(adminPort, "/livez"), { timeout: 60_000 }).toBe(200);
  expect(await readStatus(adminPort, "/readyz")).toBe(503);
  const connection = await openWay(port);
  try {
    await expect.poll(() => readStatus(adminPort, "/readyz"), { timeout: 60_000 }).toBe(200);
    expect(child.exitCode).toBeNull();
  } finally {
    connection.close();
  }
});

test("a permanent database error ends the process with its reason", { timeout: 120_000 }, async () => {
  const [adminPort = 0] = await freePorts(1);
  const { ended } = identity(adminPort, { pathname: "/away" });
  expect(await ended).toMatch(/with exit code 1: identity cannot start: database "away" does not exist$/);
});

/** Forwards connections on `port` to the database. */
async function openWay(port: number): Promise<Server> {
  const { hostname, port: target } = new URL(database.superuserUrl);
  const connection = createServer((near) => {
    const far = connect(Number(target), hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on("error", () => near.destroy());
  });
  await once(connection.listen(port, "127.0.0.1"), "listening");
  return connection;
}
