// Protection of a service's port against unauthenticated clients and compromised callers.

import { once } from "node:events";
import { request } from "node:http";
import http2 from "node:http2";
import { connect, type Socket } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { BatchGetUsersRequestSchema, UserService } from "@ems/proto/identity/v1/user_service";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { stopClock, testCall, testTenant } from "@ems/test-support";
import { testCaller } from "@ems/test-support/rpc-keys";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { messageBytesMax, readRequestBytesMax } from "../limits/sizes.ts";
import { createLog } from "../log.ts";
import { endpoints } from "./endpoints.ts";
import { grpcTransport } from "./grpc-client.ts";
import { serviceInterceptors } from "./interceptors.ts";
import { listenRpc, type RpcListener, requestLimits } from "./listen.ts";
import { mount } from "./service.ts";
import { authenticator } from "./tokens/verify.ts";
import { unauthenticatedMax } from "./unauthenticated-connections.ts";

const gateway = testCaller("gateway");
const asGateway = gateway.tokensFor("identity");
const [callers, log, tenant] = [["gateway"], createLog("test", "silent"), testTenant()];
const publicKeys = new Map([["gateway", [gateway.publicKey]]]);
const unasked = () => Promise.reject(new Error("unused in this test"));
const mounts = [
  mount(UserService, {
    listUsers: unasked,
    getUser: unasked,
    createUser: unasked,
    batchGetUsers: async ({ ids }) => ({ users: ids.map((id) => ({ id, name: id })) }),
  }),
];

let listener: RpcListener;
beforeEach(async () => {
  const authenticate = authenticator({ audience: "identity", callers, publicKeys, log });
  listener = await listenRpc(endpoints(mounts, serviceInterceptors({ callers, log })), authenticate, "127.0.0.1", 0);
});
afterEach(() => listener.close(0));

function authenticated() {
  const transport = grpcTransport(`127.0.0.1:${listener.port}`, asGateway, log);
  onTestFinished(() => transport.close());
  const client = createClient(UserService, transport);
  return async () => (await client.batchGetUsers({ ids: ["a"] }, testCall(tenant))).users.length;
}

/** Starts a raw call with `message`, which may be part of a message of `bytes` bytes. */
async function begin(method: string, message: Uint8Array, bytes = message.length) {
  const session = http2.connect(`http://127.0.0.1:${listener.port}`, { maxSessionMemory: 100 });
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  const stream = session.request({
    ":method": "POST",
    ":path": `/${UserService.typeName}/${method}`,
    "content-type": "application/grpc",
    te: "trailers",
    "grpc-timeout": "1H",
    authorization: await asGateway(tenant),
  });
  let status: string | undefined;
  const note = (headers: http2.IncomingHttpHeaders) => {
    status = headers["grpc-status"]?.toString() ?? status;
  };
  stream
    .on("response", note)
    .on("trailers", note)
    .on("error", () => undefined)
    .resume();
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes, 1);
  stream.write(Buffer.concat([head, message]));
  return { stream, status: once(stream, "close").then(() => Number(status)) };
}

test("unauthenticated connections are limited: the oldest is closed; authenticated ones stay open", async () => {
  const before = authenticated();
  expect(await before()).toBe(1);
  const unauthenticated: Socket[] = [];
  onTestFinished(() => {
    for (const socket of unauthenticated) socket.destroy();
  });
  let closed = 0;
  for (let at = 0; at < unauthenticatedMax + 50; at += 1) {
    const socket = connect(listener.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.on("close", () => {
      closed += 1;
    });
    socket.resume();
    unauthenticated.push(socket);
    await once(socket, "connect");
    // Half of the connections send the HTTP/2 preface and nothing else.
    if (at % 2 === 0) socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0");
  }
  await expect.poll(() => closed).toBe(50);
  expect(unauthenticated.slice(0, 50).every((socket) => socket.destroyed)).toBe(true);
  expect(await before()).toBe(1);
  expect(await authenticated()()).toBe(1);
});

test("closed connections do not count", async () => {
  const first = connect(listener.port, "127.0.0.1");
  onTestFinished(() => void first.destroy());
  await once(first.resume(), "connect");
  for (let at = 0; at < unauthenticatedMax + 20; at += 1) {
    const socket = connect(listener.port, "127.0.0.1");
    await once(socket, "connect");
    socket.end();
    await once(socket.resume(), "close");
  }
  expect(await authenticated()()).toBe(1);
  expect([first.readableEnded, first.destroyed]).toEqual([false, false]);
});

test("a call that ends while its token is verified causes no error", async () => {
  const { promise: until, resolve: go } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
  await listener.close(0);
  const right = authenticator({ audience: "identity", callers, publicKeys, log });
  const authenticate = async (authorization: string | undefined) => {
    begins();
    await until;
    return right(authorization);
  };
  listener = await listenRpc(endpoints(mounts, serviceInterceptors({ callers, log })), authenticate, "127.0.0.1", 0);
  const { stream, status } = await begin("BatchGetUsers", Buffer.alloc(10), 20);
  await begun;
  stream.close(http2.constants.NGHTTP2_CANCEL);
  await status;
  go();
  expect(await authenticated()()).toBe(1);
});

test("a GET's request is limited to a URL's size, others to that of a message", async () => {
  const read = await begin("GetUser", Buffer.alloc(70_000), 80_000);
  expect(await read.status).toBe(8);
  const message = create(BatchGetUsersRequestSchema, { ids: ["a".repeat(200_000)] });
  const written = await begin("BatchGetUsers", toBinary(BatchGetUsersRequestSchema, message));
  written.stream.end();
  // The message arrived, and a rule rejects it.
  expect(await written.status).toBe(3);
});

test("bytes that are not a message are the caller's error", async () => {
  const unreadable = await begin("GetUser", Buffer.from([0xff, 0xff]));
  unreadable.stream.end();
  expect(await unreadable.status).toBe(3);
});

test("an unknown field or enum value in JSON is rejected by name", async () => {
  const headers = {
    authorization: await asGateway(tenant),
    "content-type": "application/json",
    "connect-timeout-ms": "9999",
  };
  const post = async (name: string, message: object) => {
    const url = `http://127.0.0.1:${listener.port}/${UserService.typeName}/${name}`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(message) });
    return { status: answer.status, body: await answer.text() };
  };
  expect((await post("BatchGetUsers", { ids: ["a"] })).status).toBe(200);
  const unknown = { BatchGetUsers: { ids: ["a"], idz: ["b"] }, ListUsers: { orderBy: "USER_ORDER_SIDEWAYS" } };
  for (const [name, message] of Object.entries(unknown)) {
    const { status, body } = await post(name, message);
    expect([status, JSON.parse(body).code]).toEqual([400, "invalid_argument"]);
    expect(body).toMatch(/idz|USER_ORDER_SIDEWAYS/);
  }
});

test("an HTTP/1.1 body without a length counts as the largest possible until it has arrived", async () => {
  const url = new URL(`http://127.0.0.1:${listener.port}/${UserService.typeName}/BatchGetUsers`);
  const authorization = await asGateway(tenant);
  const headers = { authorization, "content-type": "application/json", "connect-timeout-ms": "9999" };
  const beginChunked = () => {
    const sent = request(url, { method: "POST", headers });
    sent.on("error", () => undefined).write('{"ids":["a"');
    onTestFinished(() => void sent.destroy());
    const status = once(sent, "response").then(([{ statusCode }]) => statusCode);
    return { sent, status };
  };
  const [first, second, third] = [beginChunked(), beginChunked(), beginChunked()];
  const refused = await Promise.race([first.status, second.status, third.status]);
  expect(refused).toBe(503);
  for (const { sent } of [first, second, third]) sent.end("]}");
  const statuses = await Promise.all([first.status, second.status, third.status]);
  expect(statuses.sort()).toEqual([200, 200, 503]);
});

test("a stalled message is rejected, whatever the caller's deadline", async () => {
  stopClock("setInterval", "clearInterval");
  onTestFinished(() => void vi.useRealTimers());
  await listener.close(0);
  const authenticate = authenticator({ audience: "identity", callers, publicKeys, log });
  listener = await listenRpc(endpoints(mounts, serviceInterceptors({ callers, log })), authenticate, "127.0.0.1", 0);
  const { stream, status } = await begin("BatchGetUsers", Buffer.alloc(1_000), 2_000);
  let isOver = false;
  stream.once("close", () => {
    isOver = true;
  });
  expect(await authenticated()()).toBe(1);
  vi.advanceTimersByTime(14_000);
  expect(await authenticated()()).toBe(1);
  expect(isOver).toBe(false);
  vi.advanceTimersByTime(3_000);
  expect(await status).toBe(4);
});

test("above the common limit of inbound messages, the largest is rejected and small ones succeed", async () => {
  const sizes = [15, 14, 13, 12, 11].map((mib) => mib * 1024 * 1024);
  const large = await Promise.all(sizes.map((bytes) => begin("BatchGetUsers", Buffer.alloc(bytes - 1), bytes)));
  const first = await Promise.race(large.map(({ status }, at) => status.then((code) => ({ code, at }))));
  expect(first.code).toBe(14);
  expect(await authenticated()()).toBe(1);
  const open = large.filter(({ stream }) => !stream.closed);
  expect(open.length).toBeGreaterThanOrEqual(3);
});

test("the request of a GET must be small; a read by POST may be as large as a change", () => {
  const rpcs = [TopicService, ReportingService].flatMap((service) =>
    Object.values(service.method).map((method) => ({
      service,
      method,
      invoke: unasked,
    })),
  );
  const bytesMax = requestLimits(rpcs);
  const ofMessage = (path: string) => bytesMax(path) - 5;
  expect(ofMessage("/ems.catalog.v1.TopicService/ListTopics")).toBe(readRequestBytesMax);
  expect(ofMessage("/ems.catalog.v1.TopicService/CreateTopic")).toBe(messageBytesMax);
  expect(ofMessage("/ems.reporting.v1.ReportingService/QueryReport")).toBe(messageBytesMax);
  expect(bytesMax("/ems.catalog.v1.TopicService/Other")).toBe(0);
});
