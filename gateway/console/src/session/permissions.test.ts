import { expect, test } from "vitest";
import { getRefusal } from "./permissions.ts";

const key = { member: null, scopes: ["topic:read", "task:write"] };
const viewer = { member: { id: "m", role: "VIEWER" }, scopes: ["topic:read"] };

test.each([
  [key, "GET /v0/topics", undefined],
  [key, ["POST /v0/tasks", "GET /v0/topics"], undefined],
  [key, ["POST /v0/tasks", "POST /v0/topics"], "Your API key lacks the scope topic:write."],
  [viewer, "GET /v0/topics", undefined],
  [viewer, "POST /v0/topics", "Your role (viewer) does not allow this. Required: editor or owner."],
  [viewer, "POST /v0/annotations", "Your role (viewer) does not allow this. Required: reviewer, editor, or owner."],
  [viewer, "DELETE /v0/api-keys/{keyId}", "Your role (viewer) does not allow this. Required: owner."],
  [{ ...key, scopes: [] }, "GET /v0/topics", "Your API key lacks the scope topic:read."],
] as const)("%j and %j: %s", (session, operations, refusal) => {
  expect(getRefusal(session, operations)).toBe(refusal);
});
