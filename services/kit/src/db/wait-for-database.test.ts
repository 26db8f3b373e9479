import { connect, createServer } from "node:net";
import { freePort } from "@ems/dev/free-port";
import { testDatabase } from "@ems/test-support";
import { afterAll, expect, inject, onTestFinished, test } from "vitest";
import { waitForDatabase } from "./wait-for-database.ts";

const server = await testDatabase(inject("postgres"));
afterAll(() => server.drop());

test("waits for a database that starts later, and reports each reason once", async () => {
  const url = new URL(server.superuserUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  url.hostname = "127.0.0.1";
  url.port = String(await freePort());
  const proxy = createServer((socket) => {
    const upstream = connect(target);
    socket.on("error", () => upstream.destroy()).pipe(upstream);
    upstream.on("error", () => socket.destroy()).pipe(socket);
  });
  onTestFinished(() => void proxy.close());
  const reported: string[] = [];
  const onWaiting = ({ message }: Error) => {
    reported.push(message);
    proxy.listen(Number(url.port), "127.0.0.1");
  };
  await waitForDatabase(url.href, { onWaiting });
  expect(reported).toEqual([expect.stringContaining("ECONNREFUSED")]);
});

test("a permanent failure is thrown at once, and any other after the maximum wait", async () => {
  const reported: Error[] = [];
  const onWaiting = (reason: Error) => reported.push(reason);
  const missing = new URL(server.superuserUrl);
  missing.pathname = "/missing";
  await expect(waitForDatabase(missing.href, { onWaiting })).rejects.toThrow('database "missing" does not exist');
  const away = `postgres://a:b@127.0.0.1:${await freePort()}/a`;
  await expect(waitForDatabase(away, { onWaiting, waitMs: 100 })).rejects.toThrow("ECONNREFUSED");
  expect(reported).toEqual([]);
});

test("a child process stops waiting when its parent ends", async () => {
  const [send, connected] = ["send", "connected"].map((name) => Object.getOwnPropertyDescriptor(process, name));
  onTestFinished(() => {
    for (const [name, before] of Object.entries({ send, connected })) {
      if (before === undefined) Reflect.deleteProperty(process, name);
      else Object.defineProperty(process, name, before);
    }
  });
  Object.defineProperty(process, "send", { configurable: true, value: process.send ?? (() => true) });
  Object.defineProperty(process, "connected", { configurable: true, value: false });
  const away = `postgres://a:b@127.0.0.1:${await freePort()}/a`;
  await expect(waitForDatabase(away, { onWaiting: () => undefined })).rejects.toThrow("ECONNREFUSED");
});
