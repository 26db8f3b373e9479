// RPCs of one answer in the three protocols, with stand-in services: what arrives there, and what clients are answered.

import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
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

async function failureOf(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(
    () => expect.unreachable("the call succeeds"),
    (error: unknown) => ConnectError.from(error),
  );
}

test("a call arrives with its tenant, request id and key of idempotency, and is answered in each protocol", async () => {
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
  // Ids arrive in lower case, as over REST.
  expect(seen).toEqual(Array(4).fill(["t", id.toLowerCase(), '"k1"', "r1"]));
});

test("errors of a service have their code in each protocol, and the request's id", async () => {
  const { port } = await openGateway((router) =>
    router.service(TopicService, { getTopic: () => Promise.reject(notFound("Topic")) }),
  );
  for (const client of Object.values(clients(port))) {
    const error = await failureOf(client.getTopic({ id }));
    expect([error.code, error.rawMessage]).toEqual([Code.NotFound, "Topic not found"]);
    // A client joins those of headers and trailers.
    expect(error.metadata.get("x-request-id")).toMatch(/^[0-9a-f-]{36}/);
  }
});

test("without a key the error says what to send, and no application is needed", async () => {
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

test("what JSON's reader refuses is refused of protobuf too, with the field's path", async () => {
  const { port } = await openGateway((router) => router.service(TopicService, { createTopic: async () => ({}) }));
  const { grpc } = clients(port);
  const error = await failureOf(
    grpc.createTopic({ title: "a\0b", baseline: Number.NaN, quickstartId: "no id", status: TopicStatus.ARCHIVED }),
  );
  expect(error.code).toBe(Code.InvalidArgument);
  expect(issuesOfError(error, CreateTopicRequestSchema).map(({ path: [field] }) => field)).toEqual([
    "title",
    "baseline",
    "status",
    "quickstartId",
  ]);
  const keyed = await failureOf(grpc.createTopic({ title: "t" }, { headers: { "idempotency-key": "a b" } }));
  expect([keyed.code, issuesOfError(keyed)[0]?.path]).toEqual([Code.InvalidArgument, ["idempotency-key"]]);
});
