import { expect, test } from "vitest";
import { Code, unavailable } from "../errors.ts";
import { requestIdHeader } from "./call.ts";
import { challengeHeader } from "./grpc-metadata.ts";
import { refusal } from "./refuse.ts";

test("a refusal has the request id of its call, or a new one, and names the required credentials", () => {
  const id = "0190a8f0-0000-7000-8000-000000000001";
  const { code, metadata } = refusal(unavailable("Later"), id);
  expect(code).toBe(Code.Unavailable);
  expect(metadata.get(requestIdHeader)).toBe(id);
  expect(metadata.get(challengeHeader)).toBe("Bearer");
  expect(refusal(new Error("unexpected"), undefined).metadata.get(requestIdHeader)).toMatch(/^[\da-f-]{36}$/);
});
