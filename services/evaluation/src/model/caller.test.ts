// Model calls over real HTTP, in the protocols of all supported providers.

import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "@ems/kit/config";
import { createTestCa, selfSigned } from "@ems/test-support/certificates";
import { type ModelServer, modelServer } from "@ems/test-support/model-server";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testConnection, testModels } from "../../test/models.ts";
import { answerSchema } from "../judges/answer-schema.ts";
import type { ModelRequest } from "../judges/judge.ts";
import type { Provider } from "./caller.ts";

let server: ModelServer = await modelServer();
const models = testModels({ MODEL_CALL_TIMEOUT_MS: "1000" });
afterAll(() => models.close());
beforeEach(async () => {
  await server.close();
  server = await modelServer();
});

const schema = answerSchema("answer", z.strictObject({ word: z.string() }));
const request = (more: Partial<ModelRequest<{ word: string }>> = {}) => ({
  system: "System",
  prompt: "Prompt",
  schema,
  temperature: 0,
  seed: 7,
  maxOutputTokens: 100,
  signal: AbortSignal.timeout(30_000),
  ...more,
});
const generate = (more: Parameters<typeof testConnection>[1] = {}, base = server.url) =>
  models.caller(testConnection(base, more)).generate(request());

const every = ["openai", "anthropic", "openai-compatible"] as const satisfies Provider[];
const object = { word: "yes" };

test.each([...every.map((provider) => [provider, "model-a"] as const), ["anthropic", "claude-sonnet-4-5"] as const])(
  "%s (%s) returns an object of the schema with its usage",
  async (provider, model) => {
    server.script({ kind: "answer", object, usage: { inputTokens: 12, outputTokens: 3 } });
    expect(await generate({ provider, model })).toEqual({
      object,
      usage: { inputTokens: 12, outputTokens: 3 },
      model,
      structuredOutput: "honored",
    });
    const [sent] = server.requests;
    expect(sent).toMatchObject({ system: "System", prompt: "Prompt", temperature: 0, model });
    expect(Object.keys(sent?.schema?.properties ?? {})).toEqual(["word"]);
    expect(sent?.seed).toBe(provider === "anthropic" ? undefined : 7);
  },
);

test.each(every)("%s: each fault has its kind", async (provider) => {
  const fault = async (...steps: Parameters<ModelServer["script"]>) => {
    server.script(...steps);
    return generate({ provider }).catch((error: unknown) => error);
  };
  const error = (status: number, headers: Record<string, string> = {}) =>
    ({ kind: "error", status, headers, message: "told" }) as const;
  expect(await fault(error(401))).toMatchObject({
    kind: "rejected",
    status: 401,
    message: expect.stringContaining("the key is not accepted"),
  });
  expect(await fault(error(403))).toMatchObject({ kind: "rejected", status: 403 });
  expect(await fault(error(404))).toMatchObject({
    kind: "rejected",
    message: expect.stringMatching(/^The provider answered 404: told\. Check the connection's base URL/),
  });
  expect(await fault(error(429))).toMatchObject({ kind: "rate_limited", retryAfterMs: undefined });
  expect(await fault(error(429, { "retry-after": "7" }))).toMatchObject({ kind: "rate_limited", retryAfterMs: 7_000 });
  expect(await fault(error(529, { "retry-after-ms": "50" }))).toMatchObject({ kind: "unavailable", retryAfterMs: 50 });
  const inTwoMinutes = { date: "Mon, 23 Nov 2026 00:00:00 GMT", "retry-after": "Mon, 23 Nov 2026 00:02:00 GMT" };
  expect(await fault(error(503, inTwoMinutes))).toMatchObject({ kind: "unavailable", retryAfterMs: 120_000 });
  expect(await fault({ kind: "reset" })).toMatchObject({ kind: "unavailable" });
  expect(await fault({ kind: "raw", body: "<html>", status: 502 })).toMatchObject({ kind: "unavailable", status: 502 });
  expect(await fault({ kind: "raw", body: '{"half": ' })).toMatchObject({ kind: "not_completion" });
  expect(await fault({ kind: "raw", body: "Bonjour !" })).toMatchObject({ kind: "not_completion" });
  expect(await fault({ kind: "huge", bytes: 2 * 1024 * 1024 })).toMatchObject({ kind: "not_completion" });
  expect(
    await fault({ kind: "raw", status: 302, body: "", headers: { location: "https://example.com" } }),
  ).toMatchObject({
    kind: "rejected",
    status: 302,
  });
  const blocked = provider === "anthropic" ? "refused" : "filtered";
  expect(await fault({ kind: "answer", text: "no", stop: "content_filter" })).toMatchObject({ kind: blocked });
  // One request per call, because the caller decides about retries.
  expect(server.requests.length).toBe(14);
});

test.each(every)("%s: the tokens of an answer that cannot be read count", async (provider) => {
  const usage = { inputTokens: 5, outputTokens: 6 };
  const texts = [
    ['{"word": 1}', "schema"],
    ['{"word": "a"', "not_json"],
    ["Je ne sais pas.", "not_json"],
    ["[]", "not_json"],
    [`{"word": "${"x".repeat(100 * 1024)}"}`, "not_json"],
    [" \n", "empty"],
  ] as const;
  for (const [text, kind] of texts) {
    server.script({ kind: "answer", text, usage });
    await expect(generate({ provider, model: "claude-sonnet-4-5" })).rejects.toMatchObject({ kind, usage });
  }
});

test.each(["hang", "drip"] as const)("a model that does not end (%s) is canceled at the timeout", async (kind) => {
  server.script(kind === "hang" ? { kind } : { kind, everyMs: 20 });
  const startedMs = performance.now();
  await expect(generate()).rejects.toMatchObject({ kind: "unavailable", message: "No answer within 1000 ms" });
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});

test("a canceled call fails with the reason of its cancellation", async () => {
  server.script({ kind: "hang" });
  const stop = new AbortController();
  const call = models.caller(testConnection(server.url)).generate(request({ signal: stop.signal }));
  const reason = new Error("shutdown");
  setImmediate(() => stop.abort(reason));
  await expect(call).rejects.toBe(reason);
});

test("parameters that a 400 names are omitted from then on, once per connection", async () => {
  const connection = testConnection(server.url);
  const named = (param: string, message: string) => ({ kind: "error", status: 400, param, message }) as const;
  server.script(
    named("temperature", "Unsupported value: 'temperature' does not support 0"),
    named("seed", "Unknown parameter: 'seed'"),
    named("response_format", "Invalid parameter: 'response_format' of type 'json_schema' is not supported"),
    named("max_tokens", "Use 'max_completion_tokens' instead"),
    { kind: "answer", text: '```json\n{"word": "yes"}\n```' },
  );
  expect(await models.caller(connection).generate(request())).toMatchObject({ object, structuredOutput: "emulated" });
  const { temperature, seed, schema: sent, system } = server.requests.at(-1) ?? {};
  expect({ temperature, seed, sent }).toEqual({ temperature: undefined, seed: undefined, sent: undefined });
  expect(system).toContain('"word"');
  server.script({ kind: "answer", object });
  await models.caller(connection).generate(request());
  expect(server.requests.length).toBe(6);
  expect(server.requests.at(-1)?.temperature).toBeUndefined();
  // A 400 is not retried if it names a parameter that was already omitted, or no known parameter.
  server.script(named("temperature", "temperature"));
  await expect(models.caller(connection).generate(request())).rejects.toMatchObject({ kind: "rejected", status: 400 });
});

test("a fault never contains the key", async () => {
  const apiKey = "sk-proj-abcdefghijklmnopqrstuvwxyz";
  for (const message of [`Incorrect key: ${apiKey}`, "Incorrect key: sk-proj-********wxyz", `{"k": "${apiKey}"}`]) {
    for (const status of [400, 401, 404, 500]) {
      server.script({ kind: "error", status, message });
      const fault = await generate({ apiKey }).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(Error);
      expect(JSON.stringify([String(fault), fault])).not.toMatch(/abcdefgh|wxyz/);
    }
  }
});

test("private hosts, plain http and unresolvable names are called only if the operator allows them", async () => {
  const strict = testModels({ MODEL_ALLOW_CIDRS: "" });
  const other = testModels({ MODEL_ALLOW_CIDRS: "10.0.0.0/8" });
  for (const [each, base] of [
    [strict, server.url],
    [strict, server.url.replace("http:", "https:")],
    [strict, "https://localhost/v1"],
    [strict, "https://169.254.169.254/v1"],
    [strict, "https://user:secret@example.com/v1"],
    [other, server.url],
  ] as const) {
    await expect(each.caller(testConnection(base)).generate(request())).rejects.toMatchObject({ kind: "rejected" });
  }
  expect(server.requests).toEqual([]);
  await strict.close();
  await other.close();
});

test("a certificate of another host, of an unknown authority, without an issuer or expired is rejected before the key is sent", async () => {
  const [trusted, foreign] = [await createTestCa("Trusted"), await createTestCa("Foreign")];
  await using dir = await mkdtempDisposable(join(tmpdir(), "ems-model-ca-"));
  const file = join(dir.path, "ca.pem");
  await writeFile(file, trusted.cert);
  const strict = testModels({ MODEL_CA_FILE: file });
  const cases = [
    ["another host", await trusted.issue(["model.example.com"]), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["another authority", await foreign.issue(["127.0.0.1"]), "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    ["nobody", await selfSigned(["127.0.0.1"]), "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["the past", await trusted.issue(["127.0.0.1"], { expired: true }), "CERT_HAS_EXPIRED"],
    ["the host", await trusted.issue(["127.0.0.1"]), undefined],
  ] as const;
  for (const [of, certificate, code] of cases) {
    const secure = await modelServer({ tls: certificate });
    secure.script({ kind: "error", status: 503 });
    const call = strict.caller(testConnection(secure.url)).generate(request());
    const fault = await call.catch((error: unknown) => error);
    await secure.close();
    expect(fault, of).toMatchObject(
      code === undefined
        ? { kind: "unavailable", status: 503 }
        : { kind: "unavailable", message: `The provider cannot be reached (${code})` },
    );
    expect(secure.requests.length, of).toBe(code === undefined ? 1 : 0);
  }
  await strict.close();
});
