// Hostile values in every field of every public RPC: gRPC reports the caller's mistake, never a failure of the server.

import { type DescField, type DescMethod, type DescMethodUnary, hasOption, type Message } from "@bufbuild/protobuf";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { http } from "@ems/proto/google/api/annotations";
import { services } from "@ems/proto/services";
import { beforeAll, expect, inject, test } from "vitest";
import { hostileMessages } from "../harness/hostile-messages.ts";
import { hostileFailures, repeatBy } from "../harness/hostile-sample.ts";
import { newTenant, type TestTenant } from "../harness/tenant.ts";

const transport = createGrpcTransport({ baseUrl: inject("product").grpcUrl });
let tenant: TestTenant;
const headers = () => ({ authorization: `Bearer ${tenant.apiKey}` });
/** Ids of existing resources, by the name of the field that contains them. */
const ids = new Map<string, string>();

beforeAll(async () => {
  tenant = await newTenant();
  const made = async (path: string, body: object, ...names: string[]) => {
    const { status, body: answer } = await tenant.api.post(path, body);
    expect([path, status, answer]).toEqual([path, 201, expect.anything()]);
    for (const name of names) ids.set(name, (answer.data ?? answer.task).id);
  };
  await made("/v0/topics", { title: "a" }, "topic_id", "topic_ids", "TopicService.id");
  await made(
    "/v0/tasks",
    { title: "a", description: "a", topicId: ids.get("topic_id") },
    "task_id",
    "task_ids",
    "TaskService.id",
  );
});

const methods = services
  .flatMap((service): readonly DescMethod[] => service.methods)
  .filter((method): method is DescMethodUnary => method.methodKind === "unary" && hasOption(method, http));

test.each(methods.map((method): [string, DescMethodUnary] => [`${method.parent.name}.${method.name}`, method]))(
  "%s",
  async (_name, method) => {
    const valid = (field: DescField) =>
      ids.get(field.name === "id" ? `${method.parent.name}.id` : field.name) as unknown;
    const send = (message: Message) => transport.unary(method, undefined, 20_000, headers(), message as never);
    expect(await hostileFailures(hostileMessages(method, valid), send), repeatBy).toEqual([]);
  },
);
