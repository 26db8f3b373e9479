// Database errors from PostgreSQL, `pg`, its pool and Node: an update that changes a message fails here.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { freePort } from "@ems/dev/free-port";
import { testDatabase } from "@ems/test-support";
import pg from "pg";
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from "typeorm";
import { afterAll, expect, inject, test } from "vitest";
import {
  Code,
  type ConnectError,
  concurrencyLimited,
  conflict,
  deadlineExceeded,
  internalError,
  unavailable,
} from "../errors.ts";
import { databaseError, isConnectionFailure, isNetworkFault, isTransient, isWrongPassword } from "./errors.ts";

const database = await testDatabase(inject("postgres"));
const sockets = new Set<Socket>();
/** A port that accepts connections and responds to the first bytes with `answer`, or never. */
const serverWith = async (answer?: string) => {
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    if (answer !== undefined) socket.once("data", () => socket.write(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  afterAll(() => server.close());
  return (server.address() as AddressInfo).port;
};
const silent = await serverWith();
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await database.drop();
});

const thrownBy = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("did not fail"),
    (error: unknown) => error,
  );
const getClient = (config: pg.ClientConfig) => {
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  return client;
};
const poolWith = (config: pg.PoolConfig) => {
  const pool = new pg.Pool({ max: 1, ...config });
  pool.on("error", () => undefined);
  return pool;
};
const connected = async (config: pg.ClientConfig = {}) => {
  const client = getClient({ connectionString: database.superuserUrl, ...config });
  await client.connect();
  return client;
};
/** Returns a client that has noticed that its backend ended. */
const lostClient = async () => {
  const client = await connected();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const ended = new Promise((resolve) => client.once("end", resolve));
  await database.sql("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
  await ended;
  return client;
};

test.each<[string, () => Promise<unknown>, RegExp]>([
  [
    "a connection that ends within a query",
    async () => {
      const client = await connected();
      const query = client.query("SELECT pg_sleep(60)");
      (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
      return query;
    },
    /^Connection terminated unexpectedly$/,
  ],
  [
    "a backend that was ended",
    async () => (await connected()).query("SELECT pg_terminate_backend(pg_backend_pid())"),
    /terminating connection/,
  ],
  ["a query after the loss", async () => (await lostClient()).query("SELECT"), /not queryable/],
  [
    "a query after the end",
    async () => {
      const client = await connected();
      await client.end();
      return client.query("SELECT");
    },
    /not queryable/,
  ],
  [
    "a server that does not respond to a client",
    () => getClient({ host: "127.0.0.1", port: silent, connectionTimeoutMillis: 50 }).connect(),
    /^timeout expired$/,
  ],
  [
    "a server that does not respond to a pool",
    async () => {
      const pool = poolWith({ host: "127.0.0.1", port: silent, connectionTimeoutMillis: 50 });
      return pool.query("SELECT").finally(() => pool.end());
    },
    /timeout/,
  ],
  [
    "a pool whose connections are all taken",
    async () => {
      const pool = poolWith({ connectionString: database.superuserUrl, connectionTimeoutMillis: 2_000 });
      const client = await pool.connect();
      return pool.query("SELECT").finally(() => {
        client.release();
        return pool.end();
      });
    },
    /^timeout exceeded when trying to connect$/,
  ],
  [
    "a pool that was ended",
    async () => {
      const pool = poolWith({ connectionString: database.superuserUrl });
      await pool.end();
      return pool.query("SELECT");
    },
    /^Cannot use a pool after calling end/,
  ],
  [
    "no answer within the query timeout",
    async () => {
      const client = await connected({ query_timeout: 50 });
      return client.query("SELECT pg_sleep(1)").finally(() => client.end());
    },
    /^Query read timeout$/,
  ],
  [
    "a server without a process for the connection",
    async () => getClient({ host: "127.0.0.1", port: await serverWith("E"), ssl: true }).connect(),
    /error establishing an SSL connection/,
  ],
  [
    "a refused connection",
    async () => getClient({ host: "127.0.0.1", port: await freePort() }).connect(),
    /ECONNREFUSED/,
  ],
  ["a socket file that is missing", () => getClient({ host: "/nowhere" }).connect(), /ENOENT/],
  ["a name that is missing", () => getClient({ host: "nowhere.invalid" }).connect(), /ENOTFOUND|EAI_AGAIN/],
  [
    "a failover whose server is still read-only",
    async () => {
      const client = await connected({ options: "-c default_transaction_read_only=on" });
      return client.query("CREATE TABLE t (id int)").finally(() => client.end());
    },
    /read-only transaction/,
  ],
  [
    "a transaction that idled too long",
    async () => {
      const client = await connected({ options: "-c idle_in_transaction_session_timeout=50" });
      const [error] = await Promise.all([once(client, "error"), client.query("BEGIN")]);
      throw error[0];
    },
    /idle-in-transaction/,
  ],
])("%s is a transient database error", async (_, work, message) => {
  const error = await thrownBy(work());
  expect(error).toMatchObject({ message: expect.stringMatching(message) });
  expect(databaseError(error)?.code).toBe(Code.Unavailable);
  expect([isTransient(error), isConnectionFailure(error)]).toEqual([true, true]);
});

test("a host whose addresses all refuse is a network error", async () => {
  const port = await freePort();
  const addresses = [
    { address: "127.0.0.1", family: 4 },
    { address: "127.0.0.2", family: 4 },
  ];
  const socket = connect({ host: "both", port, lookup: (_, __, done) => done(null, addresses) });
  const [error] = await once(socket, "error").catch((thrown) => [thrown]);
  expect(error).toBeInstanceOf(AggregateError);
  expect([isNetworkFault(error), isTransient(error)]).toEqual([true, true]);
  expect(isNetworkFault(new AggregateError([error]))).toBe(true);
  for (const thrown of [undefined, null, "ECONNREFUSED", { code: "ECONNREFUSED" }]) {
    expect(isNetworkFault(thrown)).toBe(false);
  }
});

const getState = (code: string) => Object.assign(new pg.DatabaseError("failed", 6, "error"), { code });

test.each(["08006", "08P01", "25006", "25P03", "25P04", "40001", "40P01", "53300", "53100", "55P03", "57P01", "57P03"])(
  "SQLSTATE %s is transient",
  (code) => {
    expect(databaseError(getState(code))?.code).toBe(Code.Unavailable);
    expect(databaseError(new QueryFailedError("SELECT", [], getState(code)))?.code).toBe(Code.Unavailable);
  },
);

test("a canceled statement is a missed deadline and transient", () => {
  expect(databaseError(getState("57014"))?.code).toBe(Code.DeadlineExceeded);
  expect(isTransient(getState("57014"))).toBe(true);
});

test("a query runner that TypeORM released after a lost connection is transient", () => {
  expect(databaseError(new QueryRunnerAlreadyReleasedError())?.code).toBe(Code.Unavailable);
});

test.each<[string, unknown]>([
  ["a unique violation", getState("23505")],
  ["a missing table", getState("42P01")],
  ["an invalid transaction state", getState("25001")],
  ["an internal error", new TypeError("x is not a function")],
  ["another error with a code", Object.assign(new Error("no"), { code: "ERR_INVALID_ARG_TYPE" })],
  ["a file that is missing", Object.assign(new Error("ENOENT: open"), { code: "ENOENT", syscall: "open" })],
  ["no error", "Connection terminated"],
])("%s is a defect", (_, thrown) => {
  expect([databaseError(thrown), isTransient(thrown)]).toEqual([undefined, false]);
});

test.each<[ConnectError, boolean]>([
  [unavailable(), true],
  [deadlineExceeded(), true],
  [concurrencyLimited("Too many"), true],
  [conflict("There is one"), false],
  [internalError(new Error("bug")), false],
])("an error of a service or pool is transient if a retry may succeed: %s, %s", (error, expected) => {
  expect(isTransient(error)).toBe(expected);
});

test("a refused login is a connection failure and not transient", async () => {
  const url = new URL(database.superuserUrl);
  const missing = Object.assign(new URL(url), { pathname: "/nowhere" }).href;
  const error = await thrownBy(getClient({ connectionString: missing }).connect());
  expect([isConnectionFailure(error), isTransient(error), isWrongPassword(error)]).toEqual([true, false, false]);
  expect(isWrongPassword(getState("28P01"))).toBe(true);
  expect([isConnectionFailure(getState("23505")), isConnectionFailure(new Error("no"))]).toEqual([false, false]);
});
