// Calls allowed to each role for every public RPC, by a console session. scopes.test.ts covers API keys and the gRPC
// port, which has no sessions.

import type { DescMethod } from "@bufbuild/protobuf";
import { MemberRole } from "@ems/proto/identity/v1/member_service";
import { services } from "@ems/proto/services";
import { testKeys } from "@ems/test-support/rpc-keys";
import { describe, expect, test } from "vitest";
import { openPeople } from "../../test/people.ts";
import { gatewayConfig } from "../config.ts";
import { openApiDocument } from "../openapi/document.ts";
import { listRoutes, type Route } from "../rest/routes.ts";
import { checkRoleGrant, getScope } from "./scopes.ts";

const limits = ["RATE_LIMIT", "RATE_LIMIT_APPLICATION"].flatMap((name) => [
  [`${name}_PER_MINUTE`, "1000000"],
  [`${name}_BURST`, "1000000"],
]);
const { call, here, member, signIn } = await openPeople({
  ...Object.fromEntries(limits),
  // Disables load shedding, so that a busy machine cannot affect this test.
  EVENT_LOOP_DELAY_MAX_MS: "60000",
});
const { OWNER, EDITOR, REVIEWER, VIEWER } = MemberRole;

/** The API routes except OpenTelemetry's, which the console does not use. */
const routes = listRoutes(services).filter(({ path }) => path.startsWith("/v0/"));
/** OpenAPI document, which names the scope and the roles of each operation. */
const { paths } = openApiDocument(routes, { version: "0.1.0", config: gatewayConfig(testKeys) });
const documented = paths as unknown as Record<string, Record<string, { "x-scope": string; "x-roles": string[] }>>;
const getOperation = ({ path, httpMethod }: Route) => documented[path]?.[httpMethod.toLowerCase()] ?? expect.fail();
const getGroup = ({ parent }: DescMethod) => parent.name.replace("Service", "");
const isRead = (method: DescMethod) => getScope(method).endsWith(":read");
const fillPath = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, "0192a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b");

const reviewed = [
  "Annotation",
  "Calibration",
  "Feedback",
  "HumanAnnotation",
  "HumanAnnotationQueue",
  "Issue",
  "Quickstart",
];
const owned = [
  "ApiKey",
  "Application",
  "CatalogTransfer",
  "Erasure",
  "EvaluationSettings",
  "ExportSettings",
  "IngestSettings",
  "Invitation",
  "Member",
  "ModelConnection",
  "ModelPrice",
  "TraceDeletion",
  "ResultTransfer",
  "TraceTransfer",
];

/** Settings with secrets, or with access to other systems. */
const hidden = ["ExportSettings", "Webhook"];

const isAllowedByRole: Record<string, (group: string, isReading: boolean) => boolean> = {
  OWNER: () => true,
  EDITOR: (group, isReading) => (isReading && group !== "ExportSettings") || !owned.includes(group),
  REVIEWER: (group, isReading) => (isReading ? !hidden.includes(group) : reviewed.includes(group)),
  VIEWER: (group, isReading) => isReading && !hidden.includes(group),
};

describe.each(Object.entries({ OWNER, EDITOR, REVIEWER, VIEWER }))("a member who is %s", (name, role) => {
  test("may call what the role allows; an error names the missing scope, and document and session agree", async () => {
    const { applicationId } = member(name, role);
    const { cookie } = await signIn(name);
    const headers = { ...here, cookie, "x-application-id": applicationId };
    const session = (await call("GET", "/console/api/session", headers)).json().data;
    const wrong: string[] = [];
    for (const route of routes) {
      const { "x-scope": scope, "x-roles": roles } = getOperation(route);
      const answer = await call(route.httpMethod as "GET", `/console/api${fillPath(route)}`, headers);
      const may = isAllowedByRole[name]?.(getGroup(route.method), isRead(route.method));
      const refusal = `Your role, ${name.toLowerCase()}, lacks the scope ${getScope(route.method)}`;
      const isRight = may ? ![401, 403].includes(answer.statusCode) : answer.json().message === refusal;
      if (session.scopes.includes(scope) !== may || roles.includes(name) !== may) wrong.push(`${route.path} offered`);
      if (!isRight) wrong.push(`${route.httpMethod} ${route.path}: ${answer.statusCode} ${answer.body.slice(0, 100)}`);
    }
    expect(wrong).toEqual([]);
  });
});

test("callers cannot grant a role with more permissions than their own, and an expiring key grants none", () => {
  const mayGive = (limits: Parameters<typeof checkRoleGrant>[0], role: MemberRole) => {
    try {
      checkRoleGrant(limits, role);
      return true;
    } catch {
      return false;
    }
  };
  expect(mayGive({ scopes: [] }, OWNER)).toBe(true);
  expect(mayGive({ scopes: ["read", "member:write"] }, VIEWER)).toBe(true);
  expect(mayGive({ scopes: ["read", "member:write"] }, REVIEWER)).toBe(false);
  expect(mayGive({ scopes: ["member:write"] }, VIEWER)).toBe(false);
  expect(mayGive({ scopes: ["read", "member:write"] }, OWNER)).toBe(false);
  expect(mayGive({ scopes: [], expiresMs: 1 }, VIEWER)).toBe(false);
});
