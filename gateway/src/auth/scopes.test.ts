// Calls allowed to API keys with scopes for every public RPC, over REST and gRPC.

import { create, type DescMethod, getOption } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { formKey, keyBytes } from "@ems/kit/api-key";
import { Code, ConnectError } from "@ems/kit/errors";
import { getRules } from "@ems/kit/json/constraints";
import { TaskService } from "@ems/proto/catalog/v1/task_service";
import { CreateApiKeyRequestSchema } from "@ems/proto/identity/v1/api_key_service";
import { optional_scopes } from "@ems/proto/rest/v1/rest";
import { services } from "@ems/proto/services";
import { testKeys } from "@ems/test-support/rpc-keys";
import { describe, expect, test } from "vitest";
import { applicationId, openGateway } from "../../test/harness.ts";
import { gatewayConfig } from "../config.ts";
import { publicRpcs } from "../grpc/rpcs.ts";
import { listRoutes, type Route } from "../rest/routes.ts";
import { everyScope } from "./roles.ts";
import { checkGrant, checkScope, getScope, grantedScopes, withLackingScopes } from "./scopes.ts";

const routes = listRoutes(services);
const unlimited = Object.fromEntries(
  ["RATE_LIMIT", "RATE_LIMIT_APPLICATION"].flatMap((name) => [
    [`${name}_PER_MINUTE`, "1000000"],
    [`${name}_BURST`, "1000000"],
  ]),
);

/** Typical keys and the operations that each allows, by method, group and whether it only reads. */
const keys: Record<string, { scopes: string[]; allows: (group: string, isRead: boolean) => boolean }> = {
  everything: { scopes: [], allows: () => true },
  "read only": { scopes: ["read"], allows: (_, isRead) => isRead },
  telemetry: { scopes: ["otlp:write"], allows: (group) => group === "Otlp" },
  "one group": { scopes: ["topic:read"], allows: (group, isRead) => group === "Topic" && isRead },
  "continuous integration": {
    scopes: ["read", "run:write", "model-connection:write"],
    allows: (group, isRead) => isRead || group === "Run" || group === "ModelConnection",
  },
};

const fillPath = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, "0192a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b");
const getGroup = (method: DescMethod) => method.parent.name.replace("Service", "");
const isRead = (method: DescMethod) => getScope(method).endsWith(":read");

describe.each(Object.entries(keys))("a key for %s", (name, { scopes, allows }) => {
  const apiKey = formKey(Buffer.alloc(keyBytes, name));

  test("is allowed what its scopes say over REST, and an error names the missing scope", async () => {
    const { app } = await openGateway(() => undefined, unlimited, { [apiKey]: scopes });
    const headers = { "x-api-key": apiKey, "x-application-id": applicationId };
    // Scopes returned to a console session.
    const granted = grantedScopes({ scopes });
    const wrong: string[] = [];
    for (const route of routes) {
      const answer = await app.inject({ method: route.httpMethod, url: fillPath(route), headers });
      const isAllowed = allows(getGroup(route.method), isRead(route.method));
      const expected = `The API key lacks the scope ${getScope(route.method)}`;
      const isRight = isAllowed ? answer.statusCode !== 403 : answer.json().message === expected;
      if (!isRight || granted.includes(getScope(route.method)) !== isAllowed)
        wrong.push(`${route.httpMethod} ${route.path}: ${answer.statusCode}`);
    }
    expect(wrong).toEqual([]);
  });

  test("is allowed the same over gRPC, with the reason SCOPE_MISSING", async () => {
    const { port } = await openGateway(() => undefined, unlimited, { [apiKey]: scopes });
    const wrong: string[] = [];
    for (const rpc of publicRpcs(routes, gatewayConfig(testKeys))) {
      // The headers decide before the message is read, so an empty message suffices, also for a stream.
      const type = rpc.kind === "stream" ? "application/connect+json" : "application/json";
      const controller = new AbortController();
      const answer = await fetch(`http://127.0.0.1:${port}/${rpc.method.parent.typeName}/${rpc.method.name}`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": type, "connect-protocol-version": "1" },
        body: rpc.kind === "stream" ? Buffer.from([0, 0, 0, 0, 2, 123, 125]) : "{}",
        signal: controller.signal,
      });
      const called = rpc.kind === "stream" ? rpc.method : rpc.route.method;
      const text =
        rpc.kind === "stream"
          ? new TextDecoder().decode((await answer.body?.getReader().read())?.value)
          : await answer.text();
      controller.abort();
      const isRefused = text.includes("SCOPE_MISSING") && text.includes(`lacks the scope ${getScope(called)}`);
      if (isRefused === allows(getGroup(called), isRead(called))) wrong.push(`${rpc.method}: ${text.slice(0, 200)}`);
    }
    expect(wrong).toEqual([]);
  });
});

test("the contract lists exactly the scopes of all public RPCs", () => {
  const needed = publicRpcs(routes, gatewayConfig(testKeys)).map((rpc) =>
    getScope(rpc.kind === "stream" ? rpc.method : rpc.route.method),
  );
  const rules = getRules(CreateApiKeyRequestSchema.field.scopes, "items")?.type;
  expect(rules?.case === "string" && rules.value.in).toEqual(["read", ...new Set(needed.sort())]);
});

test("an RPC with optional scopes learns those that the caller lacks", () => {
  const { importTasks, getTask } = TaskService.method;
  const owner = { orgId: "o", applicationId: "a", userId: "u" };
  const lacking = (scopes: string[], method: DescMethod = importTasks) =>
    withLackingScopes({ ...owner, scopes }, method).lackingScopes;
  expect(lacking(["task:write", "definition:read"])).toEqual(["definition:write"]);
  expect(lacking(["task:write"], getTask)).toBeUndefined();
  expect(lacking(["task:write", "definition:write"])).toBeUndefined();
  expect(lacking([])).toBeUndefined();
  const optional = routes.flatMap(({ method }) => getOption(method, optional_scopes));
  expect(optional.filter((scope) => !everyScope.includes(scope))).toEqual([]);
});

test("a key can create only keys with no more scopes and no later expiry than its own", () => {
  const key = { scopes: ["read", "api-key:write", "run:write"], expiresMs: 2_000 };
  const request = (scopes: string[], endMs?: number) =>
    create(CreateApiKeyRequestSchema, {
      name: "new",
      scopes,
      ...(endMs !== undefined && { expiresAt: timestampFromMs(endMs) }),
    });
  const refusal = (...grant: Parameters<typeof request>) => {
    try {
      checkGrant(key, request(...grant));
      return "allowed";
    } catch (error) {
      return error instanceof ConnectError && error.code === Code.PermissionDenied ? error.rawMessage : "another error";
    }
  };
  expect(refusal(["topic:read", "run:write"], 2_000)).toBe("allowed");
  expect(refusal(["topic:write"], 2_000)).toBe("The API key lacks the scope topic:write");
  expect(refusal([], 2_000)).toMatch(/lacks the scope.*all/);
  expect(refusal(["read"])).toMatch(/expires/);
  expect(refusal(["read"], 2_001)).toMatch(/expires/);
  expect(() => checkGrant({ scopes: [] }, request([]))).not.toThrow();
});

test("a scope does not allow another group whose name begins the same", () => {
  const { method } = services.find(({ name }) => name === "HumanAnnotationQueueService") ?? expect.fail();
  const read = Object.values(method).find((candidate) => isRead(candidate)) ?? expect.fail();
  expect(() => checkScope({ scopes: ["human-annotation:write", "annotation:write"] }, read)).toThrow(
    /human-annotation-queue:read/,
  );
});
