// The complete test loop in one shape of the product: signed webhooks to an application that misbehaves, traces by
// every channel, models with the protocols of OpenAI and Anthropic. The reference model predicts each test.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processNames } from "@ems/deploy/mesh";
import { createTestCa } from "@ems/test-support/certificates";
import { type ModelServer, modelServer } from "@ems/test-support/model-server";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type EventReceiver, startEventReceiver } from "../harness/event-receiver.ts";
import { type Product, type Shape, startProduct } from "../harness/product.ts";
import { newTenant } from "../harness/tenant.ts";
import { unlimited } from "../harness/unlimited.ts";
import { Application, isSigned, type TraceSink } from "./application.ts";
import { expectedReport, reported } from "./compare.ts";
import { testDocuments } from "./documents.ts";
import { expectedTest } from "./reference.ts";
import { countTasks, getBehavior, getPrompts } from "./scenario.ts";
import { type Connection, call, prepare, readTests, trigger } from "./tenant.ts";

/** Number of tests per application; `LOOP_TESTS=250` is the full size. */
const tests = Number(process.env.LOOP_TESTS ?? 28);
const timeoutMs = 15_000;
const times = { slowMs: 500 };
const limitMs = 120_000 + tests * 1_000;

/** Creates a certificate for the services' ports; returns the settings that use and trust it. */
async function tlsOfServices(directory: string): Promise<Record<string, string>> {
  const ca = await createTestCa();
  const { cert, key } = await ca.issue(processNames);
  const contents = { RPC_TLS_CA_FILE: ca.cert, RPC_TLS_CERT_FILE: cert, RPC_TLS_KEY_FILE: key };
  for (const [name, content] of Object.entries(contents)) await writeFile(join(directory, name), content);
  return Object.fromEntries(Object.keys(contents).map((name) => [name, join(directory, name)]));
}

/** Declares the tests for one shape of the product. */
export function testLoop(shape: Shape): void {
  let receiver: EventReceiver;
  let models: ModelServer;
  let product: Product;
  let directory: string;
  beforeAll(async () => {
    receiver = await startEventReceiver();
    models = await modelServer();
    directory = await mkdtemp(join(tmpdir(), "ems-test-loop-"));
    product = await startProduct(shape, {
      env: {
        ...unlimited,
        ...receiver.env,
        ...(shape === "mesh" && { NATS_SERVER: inject("natsServer"), ...(await tlsOfServices(directory)) }),
        TRACE_TIMEOUT_MS: String(timeoutMs),
        SETTLE_ROOT_MS: "1000",
        MODEL_ALLOW_CIDRS: "127.0.0.1/32",
        EVENT_LOOP_DELAY_MAX_MS: "10000",
      },
    });
  });
  afterAll(async () => {
    await product?.remove();
    await receiver?.close();
    await models?.close();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  });

  testDocuments(() => ({ facts: product.facts, models }));

  // The applications share one product and run concurrently.
  test.concurrent.each(["openai", "anthropic", "no model"] as const)(
    "every test ends as the reference says, judged by %s",
    {
      timeout: limitMs + 60_000,
    },
    async (provider) => {
      const { apiKey, applicationId, api } = await newTenant({}, product.facts);
      const sink: TraceSink = { baseUrl: product.facts.baseUrl, apiKey, applicationId };
      const application = new Application(sink, times);
      const endpoint = await receiver.another(`${provider.replace(" ", "-")}-${shape}.ems.test`);
      const connection: Connection | undefined =
        provider === "no model" ? undefined : { provider, baseUrl: models.url };
      const { taskIds, typesById, webhookSecret } = await prepare(sink, endpoint.url, tests, connection);
      const unsigned: string[] = [];
      endpoint.behave((request) => {
        if (!isSigned(webhookSecret, request)) unsigned.push(request.id);
        return application.reply(request);
      });
      const runId = await trigger(sink, taskIds);
      const run = () => call(sink, "GET", `/v0/runs/${runId}`);
      expect((await run()).run.progress.total).toBe(tests);
      await expect
        .poll(async () => (await run()).run.progress, { timeout: limitMs, interval: 500 })
        .toEqual({ completed: tests, total: tests });
      await application.sent();
      const found = await readTests(sink, runId);
      const prompts = Array.from({ length: countTasks(tests) }, (_, task) => getPrompts(task, tests)).flat();
      expect(found.map(({ prompt }) => prompt).sort()).toEqual(prompts.toSorted());
      const expected = new Map(
        prompts.map((prompt) => [prompt, expectedReport(expectedTest(prompt, connection !== undefined))]),
      );
      expect(Object.fromEntries(found.map((each) => [each.prompt, reported(each, typesById)]))).toEqual(
        Object.fromEntries(expected),
      );
      // Each prompt arrived once, or twice if the application refused the first attempt with 503.
      for (const [testId, prompt] of application.prompts) {
        expect([prompt, application.arrivals.get(testId)]).toEqual([
          prompt,
          getBehavior(prompt).manner === "busy" ? 2 : 1,
        ]);
      }
      expect([application.prompts.size, application.faults, unsigned]).toEqual([tests, [], []]);
      // The client checks these answers against the API reference.
      expect((await api.get(`/v0/runs/${runId}`)).status).toBe(200);
      expect((await api.get(`/v0/tests/${found[0].id}`)).status).toBe(200);
      application.stop();
    },
  );
}
