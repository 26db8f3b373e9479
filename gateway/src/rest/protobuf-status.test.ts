import { Code } from "@ems/kit/errors";
import { expect, test } from "vitest";
import { protobufStatus } from "./protobuf-status.ts";

test("code and message are fields 1 and 2 of google.rpc.Status", () => {
  expect(protobufStatus(429, "Too many")).toEqual(Buffer.from([8, 8, 0x12, 8, ...Buffer.from("Too many")]));
  expect(protobufStatus(401, "é")).toEqual(Buffer.from([8, 16, 0x12, 2, 0xc3, 0xa9]));
});

test.each([
  [400, Code.InvalidArgument],
  [403, Code.PermissionDenied],
  [413, Code.ResourceExhausted],
  [415, Code.InvalidArgument],
  [503, Code.Unavailable],
  [504, Code.DeadlineExceeded],
  [500, Code.Internal],
  [418, Code.Internal],
])("%d is code %d", (status, code) => {
  expect(protobufStatus(status, "")[1]).toBe(code);
});
