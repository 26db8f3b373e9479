import diagnostics from "node:diagnostics_channel";
import { createClient } from "@connectrpc/connect";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { testCall, testTenant } from "@ems/test-support";
import { testCaller } from "@ems/test-support/rpc-keys";
import grpc from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../log.ts";
import { endpoints } from "./endpoints.ts";
import { grpcTransport } from "./grpc-client.ts";
import { serviceInterceptors } from "./interceptors.ts";
import { listenRpc } from "./listen.ts";
import { mount } from "./service.ts";
import { authenticator } from "./tokens/verify.ts";

const [gateway, log, callers] = [testCaller("gateway"), createLog("test", "silent"), ["gateway"]];
const publicKeys = new Map([["gateway", [gateway.publicKey]]]);
const authenticate = authenticator({ audience: "identity", callers, publicKeys, log });

/** Counts the connections that servers of this process accept. */
function countConnections(): { count: number } {
  const counted = { count: 0 };
  const onSocket = () => {
    counted.count += 1;
  };
  diagnostics.subscribe("net.server.socket", onSocket);
  onTestFinished(() => void diagnostics.unsubscribe("net.server.socket", onSocket));
  return counted;
}

test("connections end at their maximum age without failing calls, short or long", async () => {
  const answer = async () => ({});
  const slow = () => new Promise<object>((resolve) => setTimeout(() => resolve({}), 500));
  const mounts = [mount(UserService, { listUsers: slow, getUser: answer, createUser: answer, batchGetUsers: answer })];
  const served = endpoints(mounts, serviceInterceptors({ callers, log }));
  const listener = await listenRpc(served, authenticate, "127.0.0.1", 0, { connectionAgeMs: 200 });
  const transport = grpcTransport(`127.0.0.1:${listener.port}`, gateway.tokensFor("identity"), log);
  onTestFinished(async () => {
    transport.close();
    await listener.close(0);
  });
  const client = createClient(UserService, transport);
  const connections = countConnections();
  // Repeats `call` until six connections exist. The client cannot retry all of these calls, so none may be lost.
  const lane = async (call: () => Promise<unknown>) => {
    while (connections.count < 6) await call();
  };
  await Promise.all([
    ...Array.from({ length: 10 }, () => lane(() => client.createUser({ name: "a" }, testCall(testTenant())))),
    ...Array.from({ length: 3 }, () => lane(() => client.listUsers({}, testCall(testTenant())))),
  ]);
});

test("a health watch receives changes only", async () => {
  const listener = await listenRpc([], authenticate, "127.0.0.1", 0);
  const client = new grpc.Client(`127.0.0.1:${listener.port}`, grpc.credentials.createInsecure());
  onTestFinished(async () => {
    client.close();
    await listener.close(0);
  });
  const reported: number[] = [];
  const bytes = (buffer: Buffer) => buffer;
  const watch = client.makeServerStreamRequest("/grpc.health.v1.Health/Watch", bytes, bytes, Buffer.alloc(0));
  watch.on("data", (message: Buffer) => reported.push(message[1] ?? 0));
  watch.on("error", () => undefined);
  const [serving, notServing] = [1, 2];
  await expect.poll(() => reported).toEqual([notServing]);
  for (const isServing of [false, true, true, true, false, false, true]) listener.setServing(isServing);
  await expect.poll(() => reported).toEqual([notServing, serving, notServing, serving]);
});
