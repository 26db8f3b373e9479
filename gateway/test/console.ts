// The gateway's console in front of fake services, and browser requests to it.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { createRouterTransport } from "@connectrpc/connect";
import { formKey, keyBytes } from "@ems/kit/api-key";
import { notFound, unauthenticated } from "@ems/kit/errors";
import { Health } from "@ems/kit/health";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { ApplicationService } from "@ems/proto/identity/v1/application_service";
import { MemberRole } from "@ems/proto/identity/v1/member_service";
import { type MembershipSchema, type SignInRequest, SignInService } from "@ems/proto/identity/v1/sign_in_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { testKeys } from "@ems/test-support/rpc-keys";
import { afterAll } from "vitest";
import { gatewayConfig } from "../src/config.ts";
import { createGateway } from "../src/server.ts";

export type Headers = Record<string, string>;

/** Opens a console for the calling test file, and closes it after the file's tests: test files share modules. */
export async function openConsole() {
  const folder = await mkdtemp(join(tmpdir(), "ems-console-"));
  await mkdir(join(folder, "console/assets"), { recursive: true });
  await writeFile(join(folder, "index.html"), '<meta nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>');
  await writeFile(join(folder, "console/assets/app-1a2b.js"), "plain");
  await writeFile(join(folder, "console/assets/app-1a2b.js.br"), "brotli");
  afterAll(() => rm(folder, { recursive: true }));

  /** Ids of applications by their API key. */
  const owners = new Map<string, string>();
  /** Creates a key that identity accepts until it is deleted. */
  function newKey(byte: number): { apiKey: string; applicationId: string } {
    const apiKey = formKey(Buffer.alloc(keyBytes, byte));
    const applicationId = newId();
    owners.set(apiKey, applicationId);
    return { apiKey, applicationId };
  }
  const [ada, eve] = [newKey(1), newKey(2)];
  /** Titles of the topics that catalog was asked to create. */
  const createdTopics: string[] = [];
  const clock = {
    ms: Date.parse("2026-11-23T10:00:00Z"),
    now: () => new Date(clock.ms),
  };

  /** Memberships by name at the provider; people without an entry are unknown. */
  const memberships = new Map<string, MessageInitShape<typeof MembershipSchema>[]>();
  /** Sign-ins received by identity. */
  const signIns: SignInRequest[] = [];

  async function gatewayWith(env: Record<string, string> = {}) {
    const transport = createRouterTransport((router) => {
      router.service(ApiKeyService, {
        authenticate: async ({ apiKey }) => {
          const applicationId = owners.get(apiKey);
          if (applicationId === undefined) throw unauthenticated();
          return { keyId: `key of ${applicationId}`, applicationId, orgId: "org", userId: "u1" };
        },
        listApiKeys: async () => ({ data: [{ id: `key of ${ada.applicationId}`, name: "laptop" }] }),
      });
      router.service(ApplicationService, { getApplication: async ({ id }) => ({ data: { id, title: "Bank" } }) });
      router.service(UserService, { getUser: async ({ id }) => ({ data: { id, name: "Ada" } }) });
      router.service(SignInService, {
        signIn: async (request) => {
          signIns.push(request);
          return { memberships: memberships.get(request.subject) ?? [] };
        },
        listMemberships: async ({ subject }) => ({ memberships: memberships.get(subject) ?? [] }),
        getMembership: async ({ applicationId, userId }) => {
          const all = [...memberships.values()].flat();
          const found = all.find(
            (membership) => membership.applicationId === applicationId && membership.userId === userId,
          );
          if (found === undefined) throw notFound("Member");
          return { memberId: found.memberId ?? "", role: found.role ?? MemberRole.UNSPECIFIED };
        },
      });
      router.service(TopicService, {
        getTopic: async ({ id }) => ({ data: { id } }),
        createTopic: async ({ title }) => {
          createdTopics.push(title);
          return { data: { id: newId(), title } };
        },
      });
    });
    const config = gatewayConfig({ ...testKeys, AUTH_FRESH_MS: "0", AUTH_HARD_MAX_MS: "0", ...env });
    const { app } = await createGateway(config, {
      log: createLog("test", "silent"),
      clock,
      newId,
      health: new Health(async () => undefined),
      peer: () => transport,
      consoleFolder: folder,
    });
    afterAll(() => app.close());
    return Object.assign(app, { config });
  }

  const app = await gatewayWith();
  const origin = "http://localhost:3000";
  const here = { host: "localhost:3000", origin, "sec-fetch-site": "same-origin" };

  const call = (
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    url: string,
    headers: Headers,
    payload?: object,
    gateway = app,
  ) => gateway.inject({ method, url, headers: { ...here, ...headers }, ...(payload && { payload }) });
  const signIn = (payload: object, headers: Headers = {}, gateway = app) =>
    call("POST", "/console/api/session", headers, payload, gateway);
  const readSetCookie = (response: { headers: Record<string, unknown> }) =>
    String(response.headers["set-cookie"] ?? "");
  const readCookie = (response: { headers: Record<string, unknown> }) => readSetCookie(response).split(";", 1)[0] ?? "";
  const whoIs = async (cookie: string, headers: Headers = {}) =>
    (await call("GET", "/console/api/session", { cookie, ...headers })).json();

  return {
    ada,
    app,
    call,
    clock,
    readCookie,
    createdTopics,
    eve,
    gatewayWith,
    here,
    memberships,
    newKey,
    origin,
    owners,
    readSetCookie,
    signIn,
    signIns,
    whoIs,
  };
}
