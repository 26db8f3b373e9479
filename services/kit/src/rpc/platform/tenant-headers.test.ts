import { expect, test } from "vitest";
import { newId } from "../../id.ts";
import { readTenant } from "./tenant-headers.ts";

const applicationId = newId();
const named = (headers: Record<string, string>) =>
  readTenant(new Headers({ "x-application-id": applicationId, "x-user-id": "ada", ...headers }));
const base64 = (text: string) => Buffer.from(text).toString("base64");

test("ids are printable ASCII, or UTF-8 in the binary header", () => {
  expect(named({})).toEqual({ applicationId, userId: "ada" });
  expect(named({ "x-organization-id": "Acme / 100%" })).toMatchObject({ organizationId: "Acme / 100%" });
  expect(named({ "x-organization-id-bin": base64("Åsa") })).toMatchObject({ organizationId: "Åsa" });
});

test.each([
  [{ "x-organization-id": "\u00c5sa" }, /printable ASCII/],
  [{ "x-user-id": "a\tb" }, /printable ASCII/],
  [{ "x-organization-id": "a", "x-organization-id-bin": base64("a") }, /must not be sent together/],
  [{ "x-organization-id-bin": base64("a\0") }, /an id of 1-255 characters/],
  [{ "x-organization-id-bin": Buffer.from([0xff]).toString("base64") }, /an id of 1-255 characters/],
  [{ "x-user-id": "a".repeat(256) }, /an id of 1-255 characters/],
])("%o is refused", (headers, message) => {
  expect(() => named(headers)).toThrow(message);
});
