import { UserService } from "@ems/proto/identity/v1/user_service";
import { expect, test } from "vitest";
import { Code } from "../errors.ts";
import { endpoints } from "./endpoints.ts";

test("an RPC without a handler is unimplemented, and the error names it", async () => {
  const served = endpoints([{ service: UserService, handlers: {} }], []);
  expect(served.map(({ method }) => method.name)).toEqual(UserService.methods.map(({ name }) => name));
  // The request is not used.
  await expect(served[0]?.invoke({} as never)).rejects.toMatchObject({
    code: Code.Unimplemented,
    rawMessage: expect.stringContaining(`${UserService.typeName}.${UserService.methods[0]?.name}`),
  });
});
