import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import { testCall, testTenant } from "@ems/test-support";
import { testCaller } from "@ems/test-support/rpc-keys";
import { afterAll, describe, expect, test } from "vitest";
import { Code, versionMismatch } from "../errors.ts";
import { createLog } from "../log.ts";
import type { Call } from "./call.ts";
import { endpoints } from "./endpoints.ts";
import { readIfMatch, writeIfMatch } from "./etag.ts";
import { grpcTransport } from "./grpc-client.ts";
import { inProcessTransport } from "./in-process.ts";
import { serviceInterceptors } from "./interceptors.ts";
import { listenRpc } from "./listen.ts";
import { mount } from "./service.ts";
import { authenticator } from "./tokens/verify.ts";

const [a, b] = [`"${"a".repeat(22)}"`, `"${"b".repeat(22)}"`];

test.each([
  [undefined, {}],
  ["*", { ifMatch: "*" }],
  [" * ", { ifMatch: "*" }],
  [a, { ifMatch: [a] }],
  [`${a},${b}`, { ifMatch: [a, b] }],
  [` ${a} ,\t${b} , `, { ifMatch: [a, b] }],
  [`,${a}`, { ifMatch: [a] }],
  [[a, b], { ifMatch: [a, b] }],
  // Weak ETags, and those of other servers, never match.
  [`W/${a}`, { ifMatch: [] }],
  [`W/${a}, ${b}`, { ifMatch: [b] }],
  ['""', { ifMatch: [] }],
  ['"a,b", "ü"', { ifMatch: [] }],
])("%s is parsed", (header, read) => {
  expect(readIfMatch(header)).toEqual(read);
});

test.each([
  ...["", ",", "a", "a".repeat(22), '"a', 'a"', '"a" "b"', '"a";"b"', `w/${a}`, `*, ${a}`, `${a}, *`, '"a\tb"', "W/"],
])("%s is an issue", (header) => {
  expect(readIfMatch(header)).toMatchObject({ issue: { code: "invalid_string", path: ["If-Match"] } });
});

test.each(["*", [a], [a, b], []] as const)("%s is parsed as it was written", (ifMatch) => {
  expect(readIfMatch(writeIfMatch(ifMatch))).toEqual({ ifMatch });
});

test("any header of 16 KiB is parsed quickly", () => {
  const startedMs = performance.now();
  for (const part of ["W/", '"', '" ', ", ", "\t", `${a} `]) readIfMatch(part.repeat(16_384 / part.length));
  expect(performance.now() - startedMs).toBeLessThan(500);
});

let seen: Call | undefined;
const updateTag = async (_request: unknown, call: Call) => {
  seen = call;
  if (call.ifMatch !== undefined && !call.ifMatch.includes(a)) throw versionMismatch(a);
  call.answerEtag?.(b);
  return {};
};
const unasked = () => Promise.reject(new Error("unused in this test"));
const unusedHandlers = {
  listTags: unasked,
  createTag: unasked,
  getTag: unasked,
  archiveTag: updateTag,
  tagTasks: unasked,
  untagTasks: unasked,
  setTaskTags: unasked,
  listTaskTags: unasked,
};
const [gateway, log] = [testCaller("gateway"), createLog("test", "silent")];
const served = endpoints(
  [mount(TagService, { ...unusedHandlers, updateTag })],
  serviceInterceptors({ callers: ["gateway"], log }),
);
const publicKeys = new Map([["gateway", [gateway.publicKey]]]);
const authenticate = authenticator({ audience: "catalog", callers: ["gateway"], publicKeys, log });
const listener = await listenRpc(served, authenticate, "127.0.0.1", 0);
const overGrpc = grpcTransport(`127.0.0.1:${listener.port}`, gateway.tokensFor("catalog"), log);
const authorization = await gateway.tokensFor("catalog")(testTenant());
afterAll(async () => {
  overGrpc.close();
  await listener.close(0);
});

describe.each([
  ["in process", inProcessTransport(() => served, "gateway")],
  ["gRPC", overGrpc],
  ["Connect", createConnectTransport({ baseUrl: `http://127.0.0.1:${listener.port}`, httpVersion: "1.1" })],
])("%s", (_way, transport) => {
  const client = createClient(TagService, transport);
  const id = "019a7d3c-5e1f-7b64-9c1a-2f0d8e4b6a75";
  const update = async (ifMatch: string | undefined, rpc: "updateTag" | "archiveTag" = "updateTag") => {
    const call = testCall(testTenant());
    const headers = { ...call.headers, authorization, ...(ifMatch !== undefined && { "if-match": ifMatch }) };
    let etag: string | null = null;
    await client[rpc]({ id, name: "a" }, { ...call, headers, onHeader: (header) => (etag = header.get("etag")) });
    return etag;
  };

  test("the ETag of the response and the precondition of the request arrive", async () => {
    expect(await update(undefined)).toBe(b);
    expect(seen?.ifMatch).toBeUndefined();
    expect(await update(`W/${b}, ${a}`)).toBe(b);
    expect(seen?.ifMatch).toEqual([a]);
  });

  test("a mismatch arrives with the current ETag", async () => {
    const error = await update(b).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: Code.Aborted });
    expect((error as { metadata: Headers }).metadata.get("etag")).toBe(a);
  });

  test("a header that is not a list of ETags is rejected, unless the RPC does not check it", async () => {
    seen = undefined;
    await expect(update("a")).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: "If-Match must be *, or ETags in double quotes, separated by commas",
    });
    expect(seen).toBeUndefined();
    await update("a", "archiveTag");
    expect(seen).toBeDefined();
  });
});
