// Runs in one process, which is killed and restarted on its data.

import { modelServer } from "@ems/test-support/model-server";
import { afterAll, test } from "vitest";
import { newDataDir } from "../harness/data-dir.ts";
import { startEventReceiver } from "../harness/event-receiver.ts";
import { startProduct } from "../harness/product.ts";
import { newTenant } from "../harness/tenant.ts";
import { unlimited } from "../harness/unlimited.ts";
import { proveExperiment } from "./experiment.ts";

const receiver = await startEventReceiver();
const models = await modelServer();
const dataDir = await newDataDir("ems-test-experiment-");
const start = () =>
  startProduct("one", {
    dataDir,
    env: {
      ...unlimited,
      ...receiver.env,
      MODEL_ALLOW_CIDRS: "127.0.0.1/32",
      PROMPT_ATTEMPT_TIMEOUT_MS: "5000",
      PROMPT_LEASE_MS: "10000",
      JOBS_LEASE_MS: "5000",
      MODEL_CALL_TIMEOUT_MS: "5000",
    },
  });
let product = await start();
afterAll(async () => {
  await product.remove();
  await receiver.close();
  await models.close();
});

test("an experiment says which variants are better, worse and neither, though the product is killed", async () => {
  const { apiKey, applicationId } = await newTenant({}, product.facts);
  const killed = {
    sink: () => ({ baseUrl: product.facts.baseUrl, apiKey, applicationId }),
    kill: async () => {
      product.process.kill("SIGKILL");
      await product.ended;
      product = await start();
    },
  };
  await proveExperiment(killed, await receiver.another("experiment.ems.test"), models.url);
});
