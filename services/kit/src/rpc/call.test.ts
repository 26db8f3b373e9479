import { createClient } from "@connectrpc/connect";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { testCall, testTenant } from "@ems/test-support";
import { testCaller } from "@ems/test-support/rpc-keys";
import { expect, test } from "vitest";
import { createLog } from "../log.ts";
import { type Actor, chooseRequestId } from "./call.ts";
import { endpoints } from "./endpoints.ts";
import { inProcessTransport } from "./in-process.ts";
import { serviceInterceptors } from "./interceptors.ts";
import { mount } from "./service.ts";

const log = createLog("test", "silent");
const tenant = testTenant();

test("a key and a signed-in member are actors; a background call has none", async () => {
  let actor: Actor | undefined;
  const unused = () => Promise.reject(new Error("not called"));
  const users = mount(UserService, {
    listUsers: unused,
    getUser: unused,
    createUser: unused,
    batchGetUsers: async (_request, call) => {
      actor = call.actor;
      return { users: [] };
    },
  });
  const served = endpoints([users], serviceInterceptors({ callers: ["gateway"], log }));
  const client = createClient(
    UserService,
    inProcessTransport(() => served, testCaller("gateway").name),
  );
  const callAs = async (credentials: { keyId?: string; memberId?: string }) => {
    await client.batchGetUsers({ ids: ["a"] }, testCall({ ...tenant, ...credentials }));
    return actor;
  };
  const operation = `${UserService.typeName}/BatchGetUsers`;
  expect(await callAs({ keyId: "key" })).toEqual({ operation, keyId: "key" });
  expect(await callAs({ memberId: "ada" })).toEqual({ operation });
  expect(await callAs({})).toBeUndefined();
});

test("a client's request id is used if it is safe in logs and headers", () => {
  const readId = (requestId: unknown) => chooseRequestId(requestId, () => "new");
  for (const id of ["a", "A-1._:+/=", "x".repeat(128)]) expect(readId(id)).toBe(id);
  for (const id of [undefined, "", "x".repeat(129), "a b", "a\nb", "é", ["a"], 1])
    expect([id, readId(id)]).toEqual([id, "new"]);
});
