// Unary RPCs in the three protocols, with fake services: forwarded calls and responses.

import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { errorFromJson } from "@connectrpc/connect/protocol-connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { notFound } from "@ems/kit/errors";
import { issuesOfError } from "@ems/kit/json/violations";
import { CreateTopicRequestSchema, TopicService, TopicStatus } from "@ems/proto/catalog/v1/topic_service";
import { expect, test } from "vitest";
import { apiKey, applicationId, credentials, openGateway } from "../../test/harness.ts";
import { openSession, rawCall } from "../../test/raw-call.ts";

const withKey: Interceptor = (next) => (request) => {
  request.header.set("authorization", `Bearer ${apiKey}`);
  return next(request);
};

function clients(port: number) {
  const options = { baseUrl: `http://127.0.0.1:${port}`, interceptors: [withKey], httpVersion: "2" as const };
  return {
    grpc: createClient(TopicService, createGrpcTransport(options)),
    grpcWeb: createClient(TopicService, createGrpcWebTransport(options)),
    connect: createClient(TopicService, createConnectTransport({ ...options, useBinaryFormat: true })),
    json: createClient(TopicService, createConnectTransport(options)),
  };
}

const id = "01890000-0000-7000-8000-00000000000A";
const path = "/ems.catalog.v1.TopicService/CreateTopic";

async function catchFailure(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(
    () => expect.unreachable("the call succeeds"),
    (error: unknown) => ConnectError.from(error),
  );
}

test("a call arrives with its tenant, request ID and idempotency key, and gets a response in each protocol", async () => {
  const seen: unknown[] = [];
  const { port } = await openGateway((router) =>
    router.service(TopicService, {
      createTopic: async ({ title, quickstartId }, { requestHeader, responseHeader }) => {
        seen.push([title, quickstartId, requestHeader.get("idempotency-key"), requestHeader.get("x-request-id")]);
        responseHeader.set("idempotency-replayed", "true");
        return { data: { title, status: TopicStatus.DRAFT } };
      },
    }),
  );
  for (const client of Object.values(clients(port))) {
    let metadata = new Headers();
    const headers = { "idempotency-key": "k1", "x-request-id": "r1" };
    const onHeader = (header: Headers) => {
      metadata = header;
    };
    const answer = await client.createTopic({ title: "t", quickstartId: id }, { headers, onHeader });
    expect(answer.data).toMatchObject({ title: "t", status: TopicStatus.DRAFT });
    expect(metadata.get("idempotency-replayed")).toBe("true");
    expect(metadata.get("x-request-id")).toBe("r1");
    expect(metadata.get("ratelimit")).toContain("key");
  }
  // IDs are lowercased, as over REST.
  expect(seen).toEqual(Array(4).fill(["t", id.toLowerCase(), '"k1"', "r1"]));
});

test("errors of a service have their code and the request ID in each protocol", async () => {
  const { port } = await openGateway((router) =>
    router.service(TopicService, { getTopic: () => Promise.reject(notFound("Topic")) }),
  );
  for (const client of Object.values(clients(port))) {
    const error = await catchFailure(client.getTopic({ id }));
    expect([error.code, error.rawMessage]).toEqual([Code.NotFound, "Topic not found"]);
    // Clients join the values of headers and trailers, so compare only the beginning.
    expect(error.metadata.get("x-request-id")).toMatch(/^[0-9a-f-]{36}/);
  }
});

test("without a key the error says what to send; the application is optional", async () => {
  const { port } = await openGateway((router) => router.service(TopicService, { createTopic: async () => ({}) }));
  const session = openSession(port);
  const message = toBinary(CreateTopicRequestSchema, create(CreateTopicRequestSchema, { title: "t" }));
  const send = (headers: Record<string, string>) => rawCall(session, path, message, headers);
  const refused = await send({});
  expect([refused.status, decodeURIComponent(String(refused.metadata["grpc-message"]))]).toEqual([
    Code.Unauthenticated,
    expect.stringContaining("authorization: Bearer ems_"),
  ]);
  expect((await send({ "x-api-key": apiKey })).status).toBe(0);
  expect((await send({ authorization: `Bearer ${apiKey}`, "x-application-id": applicationId })).status).toBe(0);
  expect((await send({ authorization: `bearer ${apiKey}`, "x-application-id": id })).status).toBe(
    Code.PermissionDenied,
  );
  const answered = await send(credentials);
  expect([answered.trailers["x-request-id"], answered.trailers["grpc-status"]]).toEqual([
    answered.headers["x-request-id"],
    "0",
  ]);
});

test("values that the JSON reader rejects are rejected in protobuf too, with the field's path", async () => {
  const { port } = await openGateway((router) => router.service(TopicService, { createTopic: async () => ({}) }));
  const { grpc } = clients(port);
  const error = await catchFailure(
    grpc.createTopic({ title: "a\0b", baseline: Number.NaN, quickstartId: "no id", status: TopicStatus.ARCHIVED }),
  );
  expect(error.code).toBe(Code.InvalidArgument);
  expect(issuesOfError(error, CreateTopicRequestSchema).map(({ path: [field] }) => field)).toEqual([
    "title",
    "baseline",
    "status",
    "quickstartId",
  ]);
  const keyed = await catchFailure(grpc.createTopic({ title: "t" }, { headers: { "idempotency-key": "a b" } }));
  expect([keyed.code, issuesOfError(keyed)[0]?.path]).toEqual([Code.InvalidArgument, ["idempotency-key"]]);
});

test("Connect JSON over HTTP/1.1 is strict: errors name unknown fields and values", async () => {
  const { port } = await openGateway((router) => router.service(TopicService, { createTopic: async () => ({}) }));
  const post = async (body: string, type = "application/json", method = "POST") => {
    const headers = { "content-type": type, authorization: `Bearer ${apiKey}` };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
    return { status: response.status, text: await response.text() };
  };
  expect(await post('{"title": "t"}')).toEqual({ status: 200, text: "{}" });
  for (const [body, name] of [
    ['{"titel": "t"}', "titel"],
    ['{"title": "t", "status": "DRAFT"}', '"path":["status"]'],
    ["{", "JSON"],
    ['{"title": "\\u0000"}', "NUL"],
  ] as const) {
    const { status, text } = await post(body);
    expect([status, JSON.parse(text).code, JSON.stringify(findViolations(text))]).toEqual([
      400,
      "invalid_argument",
      expect.stringContaining(name),
    ]);
  }
  expect((await post("", "text/plain")).status).toBe(415);
  expect((await post("", "application/grpc")).status).toBe(505);
  expect((await post("", "application/json", "PUT")).status).toBe(405);
});

function findViolations(text: string): unknown {
  const error = errorFromJson(JSON.parse(text), undefined, new ConnectError("unreadable"));
  return issuesOfError(error, CreateTopicRequestSchema);
}

test("a large response is compressed if the client accepts it, and rejected above gRPC's default limit", async () => {
  let bytes = 20_000;
  const { port } = await openGateway((router) =>
    router.service(TopicService, {
      listTopics: async () => ({ data: ["a", "b", "c"].map((title) => ({ title: title.repeat(bytes) })) }),
    }),
  );
  const session = openSession(port);
  const send = (headers: Record<string, string>) =>
    rawCall(session, "/ems.catalog.v1.TopicService/ListTopics", new Uint8Array(), { ...credentials, ...headers });
  const packed = await send({ "grpc-accept-encoding": "identity,gzip" });
  expect([packed.headers["grpc-encoding"], packed.payload.length < 1_000]).toEqual(["gzip", true]);
  const plain = await send({});
  expect([plain.headers["grpc-encoding"], plain.payload.length > 60_000]).toEqual([undefined, true]);
  bytes = 2 * 1024 * 1024;
  const refused = await send({});
  expect([refused.status, decodeURIComponent(String(refused.metadata["grpc-message"]))]).toEqual([
    Code.ResourceExhausted,
    expect.stringContaining("a limit of 1 fits"),
  ]);
});

test("only scripts of a configured origin may call and read the response", async () => {
  const { port } = await openGateway((router) => router.service(TopicService, { createTopic: async () => ({}) }), {
    CORS_ORIGINS: "https://app.example.com",
  });
  const send = (method: string, origin: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { origin, "content-type": "application/json", authorization: `Bearer ${apiKey}` },
      ...(method === "POST" && { body: '{"title": "t"}' }),
    });
  const preflight = await send("OPTIONS", "https://app.example.com");
  expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
    204,
    expect.stringMatching(/authorization.*connect-protocol-version/),
  ]);
  const answered = await send("POST", "https://app.example.com");
  expect([answered.status, answered.headers.get("access-control-expose-headers")]).toEqual([
    200,
    expect.stringContaining("grpc-status"),
  ]);
  expect((await send("OPTIONS", "https://evil.example.com")).headers.has("access-control-allow-headers")).toBe(false);
  expect((await send("POST", "https://evil.example.com")).headers.has("access-control-allow-origin")).toBe(false);
});
