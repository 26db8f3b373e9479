// First requests of tools: health and schema.

import { create, createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { compressionGzip, createGrpcTransport } from "@connectrpc/connect-node";
import { getReason } from "@ems/kit/errors";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "@ems/proto/google/rpc/error_details";
import { StatusSchema } from "@ems/proto/google/rpc/status";
import { Health, HealthCheckResponse_ServingStatus as Status } from "@ems/proto/grpc/health/v1/health";
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponse,
} from "@ems/proto/grpc/reflection/v1/reflection";
import { services } from "@ems/proto/services";
import { expect, test } from "vitest";
import { openGateway } from "../../test/harness.ts";
import { listRoutes } from "../rest/routes.ts";

const topics = "ems.catalog.v1.TopicService";

const gzipped = { sendCompression: compressionGzip, compressMinBytes: 0 };

async function open(env: Record<string, string> = {}, compression: Partial<typeof gzipped> = {}) {
  const gateway = await openGateway(() => undefined, env);
  const transport = createGrpcTransport({ baseUrl: `http://127.0.0.1:${gateway.port}`, ...compression });
  const reflection = createClient(ServerReflection, transport);
  const query = async (...requests: ServerReflectionRequest["messageRequest"][]) => {
    async function* questions() {
      for (const messageRequest of requests) yield { messageRequest };
    }
    const answers: ServerReflectionResponse["messageResponse"][] = [];
    for await (const { messageResponse } of reflection.serverReflectionInfo(questions())) answers.push(messageResponse);
    return answers;
  };
  return { ...gateway, query, health: createClient(Health, transport), process: gateway.health };
}

test("reflection lists the served RPCs, with descriptors without internal options", async () => {
  const { query } = await open();
  const [list, file, method, absent] = await query(
    { case: "listServices", value: "" },
    { case: "fileContainingSymbol", value: topics },
    { case: "fileContainingSymbol", value: "opentelemetry.proto.collector.trace.v1.TraceService.Export" },
    { case: "fileContainingSymbol", value: "ems.identity.v1.ApiKeyService.Authenticate" },
  );
  const names = list?.case === "listServicesResponse" ? list.value.service.map(({ name }) => name) : [];
  const routed = new Set(listRoutes(services).map(({ service }) => service.typeName));
  expect(names).toEqual(expect.arrayContaining([...routed, "grpc.health.v1.Health", ServerReflection.typeName]));

  if (file?.case !== "fileDescriptorResponse") throw new Error("no file");
  const files = file.value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: files }));
  expect(registry.getService(topics)?.methods.map(({ name }) => name)).toContain("CreateTopic");
  expect(files.filter(({ name }) => /^(buf|google\/api|ems\/rest)\//.test(name))).toEqual([]);
  // An RPC between services is not listed.
  expect([method?.case, absent?.case]).toEqual(["fileDescriptorResponse", "errorResponse"]);
});

test("reflection includes the types of error details, which clients look up by name", async () => {
  const { query } = await open();
  const details = [StatusSchema, ErrorInfoSchema, BadRequestSchema, RetryInfoSchema, ViolationsSchema];
  const names = details.map(({ typeName }) => typeName);
  const answers = await query(...names.map((value) => ({ case: "fileContainingSymbol", value }) as const));
  const found = answers.map((answer, index) => {
    if (answer?.case !== "fileDescriptorResponse") return undefined;
    const file = answer.value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
    return createFileRegistry(create(FileDescriptorSetSchema, { file })).getMessage(names[index] ?? "")?.typeName;
  });
  expect(found).toEqual(names);
});

test("a client that compresses by default is accepted, up to the size limit of a request", async () => {
  const { query, health } = await open({}, gzipped);
  const [list] = await query({ case: "listServices", value: "" });
  expect(list?.case).toBe("listServicesResponse");
  expect((await health.check({ service: topics })).status).toBe(Status.SERVING);
  const bomb = query({ case: "fileContainingSymbol", value: "x".repeat(1_000_000) });
  await expect(bomb).rejects.toMatchObject({ code: Code.ResourceExhausted });
});

test("reflection is rate-limited per address across all its streams, with a retry delay", async () => {
  const { query, health } = await open({ RATE_LIMIT_REFLECTION_BURST: "3", RATE_LIMIT_REFLECTION_PER_MINUTE: "1" });
  const list = { case: "listServices", value: "" } as const;
  expect(await query(list, list)).toHaveLength(2);
  const error = await query(list, list).then(() => undefined, ConnectError.from);
  expect([error?.code, error && getReason(error)]).toEqual([Code.ResourceExhausted, "RATE_LIMITED"]);
  expect(Number(error?.metadata.get("retry-after"))).toBeGreaterThan(0);
  expect((await health.check({ service: "" })).status).toBe(Status.SERVING);
});

test("reflection can be disabled", async () => {
  const { query } = await open({ GRPC_REFLECTION: "off" });
  await expect(query({ case: "listServices", value: "" })).rejects.toMatchObject({ code: Code.Unimplemented });
});

test("health reports each service, and sends only changes to watchers", async () => {
  const { health, process } = await open();
  expect((await health.check({ service: topics })).status).toBe(Status.SERVING);
  const missing = await health.check({ service: "x.Y" }).catch(ConnectError.from);
  expect(missing).toMatchObject({ code: Code.NotFound });
  expect((await health.list({})).statuses[topics]?.status).toBe(Status.SERVING);
  const seen: Status[] = [];
  for await (const { status } of health.watch({ service: topics })) {
    seen.push(status);
    if (seen.length === 1) setTimeout(() => process.drain(), 1_500);
    else break;
  }
  expect(seen).toEqual([Status.SERVING, Status.NOT_SERVING]);
});

test("streams without a key are limited per address; a unary health check still works", async () => {
  const { health } = await open({ STREAMS_PER_APPLICATION_MAX: "1" });
  const end = new AbortController();
  const first = health.watch({ service: "" }, { signal: end.signal })[Symbol.asyncIterator]();
  expect((await first.next()).value?.status).toBe(Status.SERVING);
  const watch = () => health.watch({ service: "" })[Symbol.asyncIterator]().next();
  await expect(watch()).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect((await health.check({ service: "" })).status).toBe(Status.SERVING);
  end.abort();
  await expect(first.next()).rejects.toMatchObject({ code: Code.Canceled });
  await expect
    .poll(() =>
      watch().then(
        ({ value }) => value?.status,
        () => undefined,
      ),
    )
    .toBe(Status.SERVING);
});
