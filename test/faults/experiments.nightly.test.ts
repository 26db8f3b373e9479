// An experiment in the mesh, whose processes are killed one after another.

import { loopbackHost } from "@ems/test-support/loopback";
import { modelServer } from "@ems/test-support/model-server";
import { afterAll, test } from "vitest";
import { startEventReceiver } from "../harness/event-receiver.ts";
import { startFaultMesh } from "../harness/fault-mesh.ts";
import { unlimited } from "../harness/unlimited.ts";
import { newWriterWithoutWebhook } from "../harness/writer.ts";
import { proveExperiment } from "../loop/experiment.ts";

const receiver = await startEventReceiver();
const models = await modelServer({ host: loopbackHost });
const mesh = await startFaultMesh({
  ...unlimited,
  ...receiver.env,
  MODEL_ALLOW_CIDRS: `${loopbackHost}/32`,
  PROMPT_ATTEMPT_TIMEOUT_MS: "5000",
  PROMPT_LEASE_MS: "10000",
  JOBS_LEASE_MS: "5000",
  MODEL_CALL_TIMEOUT_MS: "5000",
});
afterAll(async () => {
  await mesh.close();
  await receiver.close();
  await models.close();
});

test("an experiment says which variants are better, worse and neither, though processes are killed", async () => {
  const { apiKey, applicationId } = await newWriterWithoutWebhook(mesh);
  const order = (["experiments", "notifications", "evaluation"] as const).values();
  const killed = {
    sink: () => ({ baseUrl: mesh.baseUrl, apiKey, applicationId }),
    kill: async () => {
      const { value: name = "experiments" } = order.next();
      await mesh.kill(name);
      await mesh.restart(name);
    },
  };
  await proveExperiment(killed, await receiver.another("experiment.ems.test"), models.url);
}, 600_000);
