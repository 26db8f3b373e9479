// A client without the product's code: grpc-js with messages loaded by proto-loader, as in any other language.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "@ems/kit/id";
import grpc from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer, loadSync } from "@grpc/proto-loader";
import { protoPath } from "grpc-health-check";
import { afterAll, expect, inject, test } from "vitest";
import { callerToken } from "../harness/caller-token.ts";

const { dataDir } = inject("product");
const { rpcPrivateKeys } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
const processes: { name: string; address: string }[] = JSON.parse(await readFile(join(dataDir, "mesh.json"), "utf8"));
const address = (name: string) => processes.find((each) => each.name === name)?.address ?? "";

// biome-ignore lint/suspicious/noExplicitAny: a foreign client knows our messages by their names only
type Client = any;
const options = { longs: Number, enums: String, defaults: true } as const;
const image = await readFile(join(import.meta.dirname, "../../proto/baseline.binpb"));
const ems = grpc.loadPackageDefinition(loadFileDescriptorSetFromBuffer(image, options)) as Client;
const health = grpc.loadPackageDefinition(loadSync(protoPath, options)) as Client;
const insecure = grpc.credentials.createInsecure();
const topics: Client = new ems.ems.catalog.v1.TopicService(address("catalog"), insecure);
afterAll(() => topics.close());

const tenant = { orgId: "org", applicationId: newId(), userId: "ada" };
const metadata = (headers: Record<string, string>) => {
  const made = new grpc.Metadata();
  for (const name in headers) made.set(name, headers[name] ?? "");
  return made;
};
const token = (iss: string, aud: string) =>
  callerToken(rpcPrivateKeys[iss], {
    iss,
    aud,
    org_id: tenant.orgId,
    application_id: tenant.applicationId,
    user_id: tenant.userId,
  });
const gateway = token("gateway", "catalog");
const call = (
  client: Client,
  method: string,
  request: object,
  headers: Record<string, string> = gateway,
  deadlineMs: number | null = 5_000,
) =>
  new Promise<Client>((resolve, reject) =>
    client[method](
      request,
      metadata(headers),
      deadlineMs === null ? {} : { deadline: Date.now() + deadlineMs },
      (error: grpc.ServiceError | null, answer: unknown) => (error ? reject(error) : resolve(answer)),
    ),
  );

test("a service answers a plain gRPC call", async () => {
  const { data } = await call(topics, "CreateTopic", { title: "From afar" });
  expect(data).toMatchObject({
    title: "From afar",
    status: "TOPIC_STATUS_ACTIVE",
    application_id: tenant.applicationId,
  });
  const read = await call(topics, "GetTopic", { id: data.id });
  expect(read.data).toEqual(data);
});

test("an invalid argument has google.rpc.Status with buf.validate.Violations", async () => {
  const error = await call(topics, "CreateTopic", { title: "", quickstart_id: "x" }).catch((thrown) => thrown);
  expect(error.code).toBe(grpc.status.INVALID_ARGUMENT);
  expect(error.details).toBe("Invalid request data");
  const [details] = error.metadata.get("grpc-status-details-bin");
  expect(details.toString("latin1")).toContain("type.googleapis.com/buf.validate.Violations");
  expect(details.toString("latin1")).toContain("value is required");
  expect(details.toString("latin1")).toContain("Invalid UUID");
});

test("what is not there is NOT_FOUND", async () => {
  await expect(call(topics, "GetTopic", { id: newId() })).rejects.toMatchObject({
    code: grpc.status.NOT_FOUND,
    details: "Topic not found",
  });
});

test("a call without a deadline, and one of a process that the table does not name, are refused", async () => {
  await expect(call(topics, "GetTopic", { id: newId() }, gateway, null)).rejects.toMatchObject({
    code: grpc.status.INVALID_ARGUMENT,
  });
  for (const headers of [token("reporting", "catalog"), {}]) {
    await expect(call(topics, "GetTopic", { id: newId() }, headers)).rejects.toMatchObject({
      code: grpc.status.UNAUTHENTICATED,
    });
  }
});

test("grpc.health.v1 answers for the process and for each service", async () => {
  const client = new health.grpc.health.v1.Health(address("catalog"), insecure);
  for (const service of ["", "ems.catalog.v1.TopicService"]) {
    expect(await call(client, "Check", { service })).toEqual({ status: "SERVING" });
  }
  await expect(call(client, "Check", { service: "nobody" })).rejects.toMatchObject({ code: grpc.status.NOT_FOUND });
  client.close();
});

test("the same port speaks Connect with JSON to curl", async () => {
  const response = await fetch(`http://${address("catalog")}/ems.catalog.v1.TopicService/ListTopics`, {
    method: "POST",
    headers: { "content-type": "application/json", "connect-timeout-ms": "5000", ...gateway },
    body: "{}",
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ data: expect.any(Array) });
});
