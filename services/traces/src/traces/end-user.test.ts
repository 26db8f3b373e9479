import type { JsonObject } from "@bufbuild/protobuf";
import { endUserKey } from "@ems/traces-client";
import { expect, test } from "vitest";
import { findEndUser } from "./end-user.ts";

const application = "019a0000-0000-7000-8000-000000000001";
const getId = (metadata: JsonObject) => findEndUser(application, metadata)?.id;

test.each<[JsonObject, string | undefined]>([
  [{ "user.id": "a", userId: "b" }, "a"],
  [{ "enduser.id": "a", user: "b" }, "a"],
  [{ user: "b", user_id: "a" }, "a"],
  [{ userId: 42 }, "42"],
  [{ userId: "", user: "b" }, "b"],
  [{ user: { id: "a", name: "Ann" } }, "a"],
  [{ user: { name: "Ann" } }, undefined],
  [{ userId: { id: "a" } }, undefined],
  [{ user: ["a"] }, undefined],
  [{ user: null }, undefined],
  [{}, undefined],
])("the user of %j is %s", (metadata, id) => {
  expect(getId(metadata)).toBe(id);
});

test("metadata in the form of a list name no user", () => {
  expect(findEndUser(application, [{ user: "a" }])).toBeUndefined();
});

test("a user's key differs by application, and has a fixed length", () => {
  const key = endUserKey(application, "a");
  expect(findEndUser(application, { user: "a" })?.key).toBe(key);
  expect(endUserKey(application.replace("1", "2"), "a")).not.toBe(key);
  expect(endUserKey(application, "a".repeat(10_000))).toHaveLength(36);
});
