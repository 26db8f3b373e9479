// Hostile values in every field of every public RPC over gRPC: they are the caller's mistake, never a failure of the server.

import { type DescField, type DescMethod, type DescMethodUnary, hasOption } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { codeOfReason, errorInfoOf } from "@ems/kit/error-reasons";
import { http } from "@ems/proto/google/api/annotations";
import { services } from "@ems/proto/services";
import { beforeAll, expect, inject, test } from "vitest";
import { type Hostile, hostileMessages } from "../harness/hostile-messages.ts";
import { newTenant, type TestTenant } from "../harness/tenant.ts";

/** What a caller's mistake may be answered with. */
const expected: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.NotFound,
  Code.AlreadyExists,
  Code.FailedPrecondition,
  Code.ResourceExhausted,
]);
const concurrency = 8;
/** Of each RPC: `HOSTILE_SAMPLES=100000` sends everything. */
const samplesMax = Number(process.env.HOSTILE_SAMPLES ?? 25);

const transport = createGrpcTransport({ baseUrl: inject("product").grpcUrl });
let tenant: TestTenant;
/** Ids of things that exist, by the name of the field that has them. */
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
    const failures: string[] = [];
    const pending = sample([...hostileMessages(method, valid)]);
    const work = async () => {
      for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
        const failure = await failureOf(method, one);
        if (failure !== undefined) failures.push(failure);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    expect(failures).toEqual([]);
  },
);

/** Some of them, others each time: all take minutes. A failure names its value. */
function sample(all: readonly Hostile[]): Hostile[] {
  const stride = Math.ceil(all.length / samplesMax);
  const first = Math.floor(Math.random() * stride);
  return all.filter((_, index) => index % stride === first);
}

async function failureOf(method: DescMethodUnary, { name, message }: Hostile): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${tenant.apiKey}` };
  try {
    await transport.unary(method, undefined, 20_000, headers, message as never);
    return undefined;
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    const reason = errorInfoOf(error)?.reason ?? "";
    const isKnown = Object.hasOwn(codeOfReason, reason);
    return expected.has(error.code) && isKnown
      ? undefined
      : `${name}: ${Code[error.code]} ${reason} ${error.rawMessage}`;
  }
}
