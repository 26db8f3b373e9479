// Bodies sent straight to a service's own port: a client without a valid name has no body read, and a compromised process of
// the mesh cannot fill another's memory.

import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { localSecrets } from "@ems/deploy/secrets";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { callerToken } from "../harness/caller-token.ts";
import { collectingGarbage, memoryGrowth } from "../harness/memory-in-use.ts";
import { findProcess } from "../harness/mesh-address.ts";
import { framed, openSession, rawCall } from "../harness/raw-grpc.ts";

const product = await startAttacked("mesh", collectingGarbage);
const quiet = await product.tenant();
const catalog = await findProcess(product.facts, "catalog");
const bodyBytes = 15 * 1024 * 1024;
const bodies = 20;
const createTopic = "/ems.catalog.v1.TopicService/CreateTopic";

/** Growth of the memory in use during `work`, in MiB; the quiet tenant is served meanwhile. */
function growth(work: () => Promise<unknown>): Promise<number> {
  return memoryGrowth(catalog.adminUrl, async () => {
    let isDone = false;
    const done = work().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      expect((await quiet.api.get("/v0/topics")).status).toBe(200);
      await delay(50);
    }
    await done;
  });
}

/** Sends bodies of 15 MB without their last byte, and holds them until `wanted` are answered, or for 30 s. */
async function holdBodies(headers: Record<string, string>, expected: number): Promise<(number | undefined)[]> {
  const session = openSession(catalog.address);
  const calls = Array.from({ length: bodies }, () => rawCall(session, createTopic, headers));
  let answered = 0;
  for (const { stream, answer } of calls) {
    stream.write(framed(Buffer.alloc(bodyBytes - 1), bodyBytes));
    void answer.then(() => {
      answered += 1;
    });
  }
  for (const untilMs = Date.now() + 30_000; answered < expected && Date.now() < untilMs; ) await delay(50);
  session.destroy();
  return Promise.all(calls.map(({ answer }) => answer.then(({ status }) => status)));
}

test("bodies of unauthenticated clients are refused by their headers, unread", async () => {
  let statuses: (number | undefined)[] = [];
  const grown = await growth(async () => {
    statuses = await holdBodies({}, bodies);
  });
  expect(statuses).toEqual(Array.from({ length: bodies }, () => 16));
  expect(grown).toBeLessThan(50);
});

test("nor are they over HTTP/1.1, where the connection is closed instead", async () => {
  const send = (bytes: number) =>
    new Promise<number | undefined>((resolve) => {
      const [hostname, port] = catalog.address.split(":");
      const headers = {
        "content-type": "application/json",
        "content-length": bodyBytes,
        "connect-timeout-ms": "20000",
      };
      const sent = request({ hostname, port, path: createTopic, method: "POST", headers, agent: false });
      let status: number | undefined;
      sent.on("response", (answer) => {
        status = answer.statusCode;
        answer.resume();
      });
      sent.on("error", () => undefined);
      sent.on("close", () => resolve(status));
      sent.flushHeaders();
      if (bytes > 0) sent.write(Buffer.alloc(bytes, " "));
      setTimeout(() => sent.destroy(), 5_000).unref();
    });
  let statuses: (number | undefined)[] = [];
  const grown = await growth(async () => {
    statuses = await Promise.all(Array.from({ length: bodies }, () => send(bodyBytes - 1)));
  });
  // Closing a connection with unread bytes resets it, which may overtake the response.
  expect(statuses.filter((status) => status !== 401 && status !== undefined)).toEqual([]);
  expect(await send(0)).toBe(401);
  expect(grown).toBeLessThan(50);
});

test("a health check, which needs no name, has no room for a body", async () => {
  const session = openSession(catalog.address);
  const { stream, answer } = rawCall(session, "/grpc.health.v1.Health/Check");
  stream.write(framed(Buffer.alloc(1024 * 1024), bodyBytes));
  expect((await answer).status).toBe(8);
  session.destroy();
});

test("nor can a caller that has been taken over fill a process: messages on their way hold 64 MiB together", async () => {
  const { rpcPrivateKeys } = await localSecrets(product.facts.dataDir);
  const claims = { org_id: quiet.orgId, application_id: quiet.applicationId, user_id: "ada" };
  const token = callerToken(rpcPrivateKeys.gateway, { iss: "gateway", aud: "catalog", ...claims });
  let statuses: (number | undefined)[] = [];
  const grown = await growth(async () => {
    statuses = await holdBodies(token, bodies - 5);
  });
  // Accepted bodies are still awaited.
  expect(statuses.filter((status) => status !== 14 && status !== undefined)).toEqual([]);
  expect(statuses.filter((status) => status === 14).length).toBeGreaterThanOrEqual(bodies - 5);
  // All bodies together are 300 MB.
  expect(grown).toBeLessThan(150);
});

test("hundreds of connections that open HTTP/2 and stay silent lock out no other client", async () => {
  const [host = "", port] = catalog.address.split(":");
  const silent = Array.from({ length: 400 }, () => connect(Number(port), host));
  for (const socket of silent) {
    socket.on("error", () => undefined).resume();
    socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0");
  }
  await Promise.all(silent.map((socket) => (socket.connecting ? once(socket, "connect") : undefined)));
  await expect.poll(() => silent.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(200);
  expect((await quiet.api.get("/v0/topics")).status).toBe(200);
  for (const socket of silent) socket.destroy();
});
