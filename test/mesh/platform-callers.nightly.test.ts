// Platform callers in a mesh of real processes: every RPC of the contract, by every caller, for every tenant. A
// forbidden call is refused with its code, and nothing is written.

import { create, fromBinary, hasOption, toBinary } from "@bufbuild/protobuf";
import type { ProcessName } from "@ems/deploy/mesh";
import { newId } from "@ems/kit/id";
import { CreateTopicRequestSchema, CreateTopicResponseSchema } from "@ems/proto/catalog/v1/topic_service";
import { http } from "@ems/proto/google/api/annotations";
import { getProcess as servedBy } from "@ems/proto/process-name";
import { services } from "@ems/proto/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProcess } from "../harness/mesh-address.ts";
import { platformKey, platformToken, type Rpc, serviceNames, startWithCallers } from "../harness/platform-callers.ts";
import { newTenant } from "../harness/tenant.ts";

const [OK, INVALID, DENIED, EXHAUSTED, UNIMPLEMENTED, UNAVAILABLE, UNAUTHENTICATED] = [0, 3, 7, 8, 12, 14, 16];

/** RPC services that a process of the mesh serves. */
const served = services.filter((service) => serviceNames.some((name) => name === servedBy(service)));
const rpcs = served.flatMap((service) =>
  service.methods
    .filter((method) => method.methodKind === "unary")
    .map((method) => ({
      service: servedBy(service) as ProcessName,
      path: `/${service.typeName}/${method.name}`,
      isPublic: hasOption(method, http),
    })),
);

const publicRpcs = rpcs.filter(({ isPublic }) => isPublic);

/** Runs a few calls at a time: sequential calls would spend most of the time waiting. */
async function together<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const next = async () => {
    for (let each = left.shift(); each !== undefined; each = left.shift()) await work(each);
  };
  await Promise.all(Array.from({ length: 8 }, next));
}

const [key, newer, foreign] = [platformKey(), platformKey(), platformKey()];
const everything = served
  .filter(({ methods }) => methods.some((each) => hasOption(each, http)))
  .map(({ typeName }) => `${typeName}/*`);
const many = { perMinute: 1_000_000, burst: 100_000, inFlightMax: 1_000 };
const caller = (name: string, more: object) => ({
  name,
  keys: [key.publicKey],
  rpcs: everything,
  organizations: ["*"],
  rate: many,
  ...more,
});
const callers = [
  caller("anyone", {}),
  caller("limited", { organizations: ["acme"] }),
  caller("reader", { rpcs: ["ems.catalog.v1.TopicService/ListTopics", "ems.identity.v1.UserService/BatchGetUsers"] }),
  caller("rotating", { keys: [key.publicKey, newer.publicKey] }),
  caller("frugal", { rate: { perMinute: 1, burst: 3, inFlightMax: 5 } }),
];

const { facts, database, call, rowCounts, addTenant, remove } = await startWithCallers(callers);
afterAll(remove);
const [acme, other] = [await addTenant("acme"), await addTenant("other")];
const derived = ({ "x-application-id": application, "x-user-id": user }: typeof acme) => ({
  "x-application-id": application,
  "x-user-id": user,
});

/** Returns the reason in google.rpc.ErrorInfo, found by its domain, without any of the product's code. */
function getReason({ headers, trailers }: Awaited<ReturnType<typeof call>>): string | undefined {
  const details = { ...headers, ...trailers }["grpc-status-details-bin"];
  return /([A-Z_]{4,})\W+ems/.exec(Buffer.from(String(details), "base64").toString("latin1"))?.[1];
}

const nowS = Math.floor(Date.now() / 1000);
const as =
  (name: string, claims: object = {}, signer = key) =>
  (rpc: Rpc) =>
    platformToken(signer, name, rpc.service, claims);
const none = (rpc: Rpc) => {
  const [, payload] = as("anyone")(rpc).authorization.split(".");
  return { authorization: `Bearer ${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.` };
};
const unknownTenant = { ...acme, "x-application-id": newId() };

type Denial = readonly [
  what: string,
  token: (rpc: Rpc) => Record<string, string>,
  tenant: object,
  code: number,
  reason: string,
];
const denials: readonly Denial[] = [
  ["no token", () => ({}), acme, UNAUTHENTICATED, "CALLER_TOKEN_MISSING"],
  ["the name of a process", as("gateway"), acme, UNAUTHENTICATED, "CALLER_TOKEN_INVALID"],
  ["an unknown name", as("nobody"), acme, UNAUTHENTICATED, "CALLER_TOKEN_INVALID"],
  ["another's signature", as("anyone", {}, foreign), acme, UNAUTHENTICATED, "CALLER_TOKEN_INVALID"],
  ["no signature", none, acme, UNAUTHENTICATED, "CALLER_TOKEN_INVALID"],
  ["another audience", as("anyone", { aud: "elsewhere" }), acme, UNAUTHENTICATED, "CALLER_TOKEN_INVALID"],
  [
    "an expired token",
    as("anyone", { iat: nowS - 600, exp: nowS - 60 }),
    acme,
    UNAUTHENTICATED,
    "CALLER_TOKEN_EXPIRED",
  ],
  ["no end", as("anyone", { exp: undefined }), acme, UNAUTHENTICATED, "CALLER_TOKEN_INVALID"],
  ["a long life", as("anyone", { exp: nowS + 3_700 }), acme, UNAUTHENTICATED, "CALLER_TOKEN_INVALID"],
  ["a tenant claim", as("anyone", { org_id: "acme" }), acme, UNAUTHENTICATED, "CALLER_TOKEN_INVALID"],
  ["a key that is another caller's newer one", as("anyone", {}, newer), acme, UNAUTHENTICATED, "CALLER_TOKEN_INVALID"],
  ["an unknown application", as("anyone"), unknownTenant, INVALID, "TENANT_UNKNOWN"],
  ["an application that is no id", as("anyone"), { ...acme, "x-application-id": "%" }, INVALID, "METADATA_INVALID"],
  [
    "another organisation's application",
    as("anyone"),
    { ...other, "x-organization-id": "acme" },
    INVALID,
    "TENANT_UNKNOWN",
  ],
  ["an unknown organisation", as("anyone"), { ...acme, "x-organization-id": "nowhere" }, INVALID, "TENANT_UNKNOWN"],
  [
    "another organisation's user",
    as("anyone"),
    { ...acme, "x-user-id": other["x-user-id"] },
    INVALID,
    "TENANT_UNKNOWN",
  ],
  ["an unknown user", as("anyone"), { ...acme, "x-user-id": "%00'; --" }, INVALID, "TENANT_UNKNOWN"],
  ["no user", as("anyone"), { "x-application-id": acme["x-application-id"] }, INVALID, "TENANT_MISSING"],
  [
    "no application",
    as("anyone"),
    { "x-organization-id": "acme", "x-user-id": acme["x-user-id"] },
    INVALID,
    "TENANT_MISSING",
  ],
  ["an organisation that it may not name", as("limited"), other, DENIED, "TENANT_FORBIDDEN"],
  ["an application of one", as("limited"), derived(other), DENIED, "TENANT_FORBIDDEN"],
  ["an application that is nobody's", as("limited"), derived(unknownTenant), DENIED, "TENANT_FORBIDDEN"],
];

let before: string;
beforeAll(async () => {
  before = await rowCounts();
});

describe("each RPC of the contract", () => {
  test.each(denials)("with %s is refused, and writes nothing", async (_what, token, tenant, code, reason) => {
    await together(publicRpcs, async (rpc) => {
      const answer = await call(rpc, { ...token(rpc), ...(tenant as Record<string, string>) });
      const { status, message } = answer;
      expect([rpc.path, getReason(answer)]).toEqual([rpc.path, reason]);
      expect([rpc.path, status, message]).toEqual([rpc.path, code, expect.any(String)]);
      // An error about the tenant names the header.
      if (code === INVALID) expect(message).toMatch(/x-(application|organization|user)-id/);
    });
    expect(await rowCounts()).toBe(before);
  });

  test("that no tenant is named for is refused", async () => {
    await together(publicRpcs, async (rpc) => {
      expect((await call(rpc, as("anyone")(rpc))).status, rpc.path).toBe(INVALID);
    });
    expect(await rowCounts()).toBe(before);
  });

  test("that the caller may not call is refused: of another name, or internal and not named", async () => {
    await together(rpcs, async (rpc) => {
      const named = /TopicService\/ListTopics$|UserService\/BatchGetUsers$/.test(rpc.path);
      for (const name of rpc.isPublic ? ["reader"] : ["reader", "anyone"]) {
        const { status } = await call(rpc, { ...as(name)(rpc), ...acme });
        // Only `ems` serves operators' RPCs.
        const isRefused = status === DENIED || (!rpc.isPublic && status === UNIMPLEMENTED);
        expect([rpc.path, name, isRefused]).toEqual([rpc.path, name, name === "anyone" || !named]);
      }
    });
    expect(await rowCounts()).toBe(before);
  });

  test("that is allowed reaches its handler, by the organization's name or by the application alone", async () => {
    await together(publicRpcs, async (rpc) => {
      for (const tenant of [acme, derived(acme)]) {
        const { status } = await call(rpc, { ...as("limited")(rpc), ...tenant });
        expect([rpc.path, [DENIED, UNAVAILABLE, UNAUTHENTICATED].includes(status ?? -1)]).toEqual([rpc.path, false]);
      }
    });
  });
});

const createTopic = { service: "catalog", path: "/ems.catalog.v1.TopicService/CreateTopic" } as const;
const listTopics = { service: "catalog", path: "/ems.catalog.v1.TopicService/ListTopics" } as const;
const topic = (title: string) => toBinary(CreateTopicRequestSchema, create(CreateTopicRequestSchema, { title }));

test("a topic is written for the tenant that is named, which REST shows, once per idempotency key", async () => {
  const tenant = await newTenant({}, facts);
  const { orgId, applicationId } = tenant;
  const { rows } = await database.query("SELECT id FROM identity.app_user WHERE org_id = $1", [orgId]);
  const userId: string = rows[0].id;
  const headers = { "x-organization-id": orgId, "x-application-id": applicationId.toUpperCase(), "x-user-id": userId };
  const keyed = { ...as("anyone")(createTopic), ...headers, "idempotency-key": "once" };
  const answers = [];
  for (let sent = 0; sent < 2; sent += 1) answers.push(await call(createTopic, keyed, topic("From the platform")));
  expect(answers.map(({ status }) => status)).toEqual([OK, OK]);
  const ids = answers.map(({ body }) => fromBinary(CreateTopicResponseSchema, body).data?.id);
  expect(new Set(ids).size).toBe(1);
  expect(answers[1]?.headers["idempotency-replayed"]).toBe("true");
  const { body } = await tenant.api.get("/v0/topics");
  expect(body.data.map(({ title }: { title: string }) => title)).toEqual(["From the platform"]);
});

test("a token for several services, and both keys of a rotation, are taken", async () => {
  const several = platformToken(key, "rotating", ["catalog", "experiments"]);
  for (const token of [several, as("rotating")(listTopics), as("rotating", {}, newer)(listTopics)]) {
    expect((await call(listTopics, { ...token, ...acme })).status).toBe(OK);
  }
});

test("the request id stands in headers and trailers, the caller's own where it has one", async () => {
  const answered = await call(listTopics, { ...as("anyone")(listTopics), ...acme, "x-request-id": "mine" });
  expect([answered.headers["x-request-id"], answered.trailers["x-request-id"]]).toEqual(["mine", "mine"]);
  expect(answered.headers.ratelimit).toContain('"caller"');
  const refused = await call(listTopics, {});
  expect({ ...refused.headers, ...refused.trailers }["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
});

test("a call without a deadline is answered", async () => {
  const headers = { ...as("anyone")(listTopics), ...acme, "grpc-timeout": "" };
  expect((await call(listTopics, headers)).status).toBe(OK);
});

test("a caller over its rate gets a retry delay, and no other caller is delayed", async () => {
  const token = as("frugal")(listTopics);
  const statuses = [];
  for (let sent = 0; sent < 3; sent += 1) statuses.push((await call(listTopics, { ...token, ...acme })).status);
  const refused = await call(listTopics, { ...token, ...acme });
  expect([...statuses, refused.status]).toEqual([OK, OK, OK, EXHAUSTED]);
  const metadata = { ...refused.headers, ...refused.trailers };
  expect(Number(metadata["retry-after"])).toBeGreaterThan(0);
  expect(Number(metadata["grpc-retry-pushback-ms"])).toBe(Number(metadata["retry-after"]) * 1_000);
  expect((await call(listTopics, { ...as("anyone")(listTopics), ...acme })).status).toBe(OK);
  const { adminUrl: admin } = await findProcess(facts, "catalog");
  expect(await (await fetch(`${admin}/metrics`)).text()).toMatch(
    /ems_rpc_caller_calls_total\{caller="frugal",rpc_response_status_code="RESOURCE_EXHAUSTED"\} 1/,
  );
});

test("over HTTP/1.1 a caller is checked alike", async () => {
  const { address } = await findProcess(facts, "catalog");
  const post = (headers: Record<string, string>) =>
    fetch(`http://${address}${listTopics.path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: "{}",
    });
  const token = as("limited")(listTopics);
  expect((await post({ ...token, ...acme })).status).toBe(200);
  expect((await post({ ...token, ...other })).status).toBe(403);
  const missing = await post(acme);
  expect([missing.status, missing.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
});

test("while identity hangs a tenant that is not known yet is unavailable, and one that is known is served", async () => {
  const { pid } = await findProcess(facts, "identity");
  const token = as("anyone")(createTopic);
  const unseen = { ...other, "x-user-id": "somebody" };
  const rows = await rowCounts();
  // Called last, since services cache a tenant for a few seconds only.
  await call(listTopics, { ...as("anyone")(listTopics), ...acme });
  process.kill(pid, "SIGSTOP");
  try {
    expect((await call(listTopics, { ...as("anyone")(listTopics), ...acme })).status).toBe(OK);
    expect((await call(createTopic, { ...token, ...unseen }, topic("No"))).status).toBe(UNAVAILABLE);
    expect(await rowCounts()).toBe(rows);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await expect.poll(async () => (await call(createTopic, { ...token, ...unseen }, topic("No"))).status).toBe(INVALID);
});

test("a user who is no longer there is refused within seconds, and a new one is found", async () => {
  const headers = { ...as("anyone")(listTopics), ...other, "x-user-id": "grace" };
  expect((await call(listTopics, headers)).status).toBe(INVALID);
  await database.query(
    "INSERT INTO identity.app_user (org_id, id, name, created_at, modified_at) VALUES ('other', 'grace', 'G', now(), now())",
  );
  await expect.poll(async () => (await call(listTopics, headers)).status).toBe(OK);
  await database.query("DELETE FROM identity.app_user WHERE id = 'grace'");
  await expect.poll(async () => (await call(listTopics, headers)).status).toBe(INVALID);
});
