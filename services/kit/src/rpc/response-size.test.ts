// Responses and requests that are too large for a message between services.

import { create } from "@bufbuild/protobuf";
import { ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { createClient } from "@connectrpc/connect";
import { ListUsersResponseSchema, UserService } from "@ems/proto/identity/v1/user_service";
import { testCall, testTenant } from "@ems/test-support";
import { testCaller } from "@ems/test-support/rpc-keys";
import { afterAll, expect, test } from "vitest";
import { findErrorInfo } from "../error-reasons.ts";
import { Code } from "../errors.ts";
import { createLog } from "../log.ts";
import { endpoints } from "./endpoints.ts";
import { grpcTransport } from "./grpc-client.ts";
import { serviceInterceptors } from "./interceptors.ts";
import { listenRpc } from "./listen.ts";
import { assertResponseFits } from "./response-size.ts";
import { mount } from "./service.ts";
import { authenticator } from "./tokens/verify.ts";

const gateway = testCaller("gateway");
const [callers, log] = [["gateway"], createLog("test", "silent")];
const publicKeys = new Map([[gateway.name, [gateway.publicKey]]]);
const authenticate = authenticator({ audience: "identity", callers, publicKeys, log });
const tenant = testTenant();

// Each user contains this text twice: as id and as name.
const mebibyte = "x".repeat(1024 * 1024);
const users = Array.from({ length: 12 }, () => ({ id: mebibyte, name: mebibyte }));
const unasked = () => Promise.reject(new Error("unused in this test"));
const served = endpoints(
  [
    mount(UserService, {
      listUsers: async ({ limit = 1 }) => ({ data: users.slice(0, limit) }),
      batchGetUsers: async () => ({ users }),
      getUser: unasked,
      createUser: unasked,
    }),
  ],
  serviceInterceptors({ callers, log }),
);
const listener = await listenRpc(served, authenticate, "127.0.0.1", 0);
const transport = grpcTransport(`127.0.0.1:${listener.port}`, gateway.tokensFor("identity"), log);
const client = createClient(UserService, transport);
afterAll(async () => {
  transport.close();
  await listener.close(1_000);
});

test("a response that is too large is an error with its limit", async () => {
  await expect(client.batchGetUsers({ ids: ["a"] }, testCall(tenant))).rejects.toMatchObject({
    code: Code.ResourceExhausted,
    rawMessage: "The answer is larger than 24 MiB",
  });
});

test("the error of a page that is too large names a limit that fits", async () => {
  const page = (limit: number) => client.listUsers({ limit }, testCall(tenant));
  const error = await page(12).catch((thrown) => thrown);
  const rawMessage = "This page is larger than 24 MiB, a limit of 11 fits";
  expect(error).toMatchObject({ code: Code.ResourceExhausted, rawMessage });
  expect(findErrorInfo(error)).toMatchObject({ reason: "ANSWER_TOO_LARGE", metadata: { limit: "11" } });
  const [details] = error.findDetails(ViolationsSchema);
  expect(details.violations).toMatchObject([{ message: rawMessage }]);
  expect((await page(11)).data).toHaveLength(11);
});

test("a request that is too large is an error with its limit", async () => {
  const ids = Array.from({ length: 25 }, () => mebibyte);
  await expect(client.batchGetUsers({ ids }, testCall(tenant))).rejects.toMatchObject({
    code: Code.ResourceExhausted,
    rawMessage: "The request is larger than 24 MiB between services",
  });
});

test("the in-process transport also rejects responses that are too large", () => {
  const fits = (length: number) => () => {
    const answer = create(ListUsersResponseSchema, { data: users.slice(0, length) });
    assertResponseFits(UserService.method.listUsers, answer, JSON.stringify(answer.data));
  };
  expect(fits(11)).not.toThrow();
  expect(fits(12)).toThrow("a limit of 11 fits");
});
