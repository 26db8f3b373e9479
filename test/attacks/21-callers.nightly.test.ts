// A stolen token of the mesh: it is valid for its caller, service and tenant only,
// for minutes; a process's key signs for that process only.

import http2, { type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { fromBinary } from "@bufbuild/protobuf";
import { localSecrets } from "@ems/deploy/secrets";
import { ready, startChild, stopChild } from "@ems/dev/child";
import { buildProcessEnvironment, freePorts } from "@ems/dev/environment";
import { ListTopicsResponseSchema } from "@ems/proto/catalog/v1/topic_service";
import { afterAll, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { callerToken } from "../harness/caller-token.ts";
import { findProcess } from "../harness/mesh-address.ts";
import { framed, openSession, rawCall } from "../harness/raw-grpc.ts";

const product = await startAttacked("mesh");
const [mallory, victim] = [await product.tenant(), await product.tenant()];
const secrets = await localSecrets(product.facts.dataDir);
const { address: catalog } = await findProcess(product.facts, "catalog");
const { address: experiments } = await findProcess(product.facts, "experiments");
const session = openSession(catalog);
afterAll(() => session.close());

/** Metadata of a gateway's call on behalf of mallory, captured by an impostor of catalog. */
async function captured(): Promise<Record<string, string>> {
  const seen = Promise.withResolvers<Record<string, string>>();
  const listener = http2.createServer();
  listener.on("stream", (stream: ServerHttp2Stream, headers) => {
    const rpcHeaders = Object.entries(headers).filter(([name]) => /^(x-request-id|authorization)$/.test(name));
    seen.resolve(Object.fromEntries(rpcHeaders.map(([name, value]) => [name, String(value)])));
    stream.respond({ ":status": 200, "content-type": "application/grpc", "grpc-status": 5 }, { endStream: true });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { address: identity } = await findProcess(product.facts, "identity");
  const env = buildProcessEnvironment("gateway", process.env, { secrets, urlAs: () => "" }, freePorts());
  const CATALOG_ADDRESS = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const own = { PORT: "0", GRPC_PORT: "0", NATS_URL: "", IDENTITY_ADDRESS: identity, CATALOG_ADDRESS };
  const child = startChild("gateway", { ...env, ...own }, () => undefined);
  try {
    const { port } = await ready(child);
    const headers = { "x-api-key": mallory.apiKey, "x-application-id": mallory.applicationId };
    const [metadata] = await Promise.all([
      seen.promise,
      fetch(`http://127.0.0.1:${port}/v0/topics`, { headers }).then((answer) => answer.body?.cancel()),
    ]);
    return metadata;
  } finally {
    await stopChild(child);
    listener.close();
  }
}

const listTopics = "/ems.catalog.v1.TopicService/ListTopics";
const stolen = await captured();
/** Header names of a tenant, which must be ignored. */
const asVictim = {
  "x-organization-id": encodeURIComponent(victim.orgId),
  "x-application-id": victim.applicationId,
  "x-user-id": "ada",
};

async function titles(headers: Record<string, string>): Promise<string[]> {
  const { stream, answer } = rawCall(session, listTopics, headers);
  stream.end(framed(new Uint8Array()));
  const { status, body } = await answer;
  expect(status).toBe(0);
  return fromBinary(ListTopicsResponseSchema, body).data.map(({ title }) => title);
}

test("a captured token reads no other tenant's data, whatever the other metadata say", async () => {
  expect((await mallory.api.post("/v0/topics", { title: "Mallory's" })).status).toBe(201);
  expect((await victim.api.post("/v0/topics", { title: "The victim's" })).status).toBe(201);
  expect(await titles(stolen)).toEqual(["Mallory's"]);
  expect(await titles({ ...stolen, ...asVictim })).toEqual(["Mallory's"]);
});

test("a captured token is refused by every other service", async () => {
  const other = openSession(experiments);
  const { stream, answer } = rawCall(other, "/ems.experiments.v1.ExperimentService/ListExperiments", stolen);
  stream.end(framed(new Uint8Array()));
  expect(await answer).toMatchObject({ status: 16 });
  other.close();
});

const claims = (tenant: typeof victim) => ({
  org_id: tenant.orgId,
  application_id: tenant.applicationId,
  user_id: "ada",
});
const { gateway: gatewayKey, catalog: catalogKey, experiments: experimentsKey } = secrets.rpcPrivateKeys;
const nowS = Math.floor(Date.now() / 1000);
const asVictimAt = { iss: "gateway", aud: "catalog", ...claims(victim) };

test("the token that the gateway itself would make is taken, so that what follows is refused for its own fault", async () => {
  expect(await titles(callerToken(gatewayKey, asVictimAt))).toEqual(["The victim's"]);
});

test.each([
  ["made by a catalog that has been taken over, in the gateway's name", callerToken(catalogKey, asVictimAt)],
  [
    "made in its own name by a process that does not call the service",
    callerToken(catalogKey, { ...asVictimAt, iss: "catalog" }),
  ],
  ["found in a log an hour later", callerToken(gatewayKey, { ...asVictimAt, iat: nowS - 3_600, exp: nowS - 3_480 })],
  ["made for ever", callerToken(gatewayKey, { ...asVictimAt, iat: nowS - 3_600, exp: nowS + 86_400 * 365 })],
  ["made for later", callerToken(gatewayKey, { ...asVictimAt, iat: nowS + 3_600, exp: nowS + 3_720 })],
  ["of nobody", {}],
  [
    "that was the mesh's before: a name and a secret",
    { "ems-caller": "gateway", "ems-caller-token": "x".repeat(43), ...asVictim },
  ],
])("a token %s is refused, over gRPC and over HTTP/1.1", async (_name, headers: Record<string, string>) => {
  const { stream, answer } = rawCall(session, listTopics, headers);
  stream.end(framed(new Uint8Array()));
  expect(await answer).toMatchObject({ status: 16, body: Buffer.alloc(0) });
  const over11 = await fetch(`http://${catalog}${listTopics}`, {
    method: "POST",
    headers: { "content-type": "application/json", "connect-timeout-ms": "5000", ...headers },
    body: "{}",
  });
  expect(over11.status).toBe(401);
  expect(await over11.json()).toMatchObject({ code: "unauthenticated" });
});

test("a captured token is no more over HTTP/1.1 than over gRPC", async () => {
  const callRpc = async (address: string, rpc: string) => {
    const headers = { "content-type": "application/json", "connect-timeout-ms": "5000", ...stolen, ...asVictim };
    const answer = await fetch(`http://${address}${rpc}`, { method: "POST", headers, body: "{}" });
    return { status: answer.status, text: JSON.stringify(await answer.json()) };
  };
  const topics = await callRpc(catalog, listTopics);
  expect([topics.status, topics.text.includes("Mallory's"), topics.text.includes("victim")]).toEqual([
    200,
    true,
    false,
  ]);
  expect((await callRpc(experiments, "/ems.experiments.v1.ExperimentService/ListExperiments")).status).toBe(401);
});

test("a process that has been taken over reaches what it may call, and nothing behind it", async () => {
  const references = "/ems.catalog.v1.ReferenceService/CheckReferences";
  const asExperiments = { iss: "experiments", aud: "catalog", ...claims(victim) };
  const { stream, answer } = rawCall(session, references, callerToken(experimentsKey, asExperiments));
  stream.end(framed(new Uint8Array()));
  expect((await answer).status).toBe(0);
  const other = openSession((await findProcess(product.facts, "notifications")).address);
  const beyond = rawCall(
    other,
    "/ems.notifications.v1.WebhookService/GetWebhook",
    callerToken(experimentsKey, { ...asExperiments, aud: "notifications" }),
  );
  beyond.stream.end(framed(new Uint8Array()));
  expect((await beyond.answer).status).toBe(16);
  other.close();
});
