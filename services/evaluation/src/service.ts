import { createClient } from "@connectrpc/connect";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { publisher } from "@ems/kit/events/publish";
import type { Mount } from "@ems/kit/rpc/service";
import { secretBox } from "@ems/kit/secret-box";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { DocumentTestExecutionService } from "@ems/proto/experiments/v1/document_test_execution_service";
import { ErasureWorkService } from "@ems/proto/experiments/v1/erasure_work_service";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { ModelPriceService } from "@ems/proto/experiments/v1/model_price_service";
import type { EvaluationConfig } from "./config.ts";
import type { Deps } from "./deps.ts";
import { documentTestTriggers } from "./document-tests/index.ts";
import { startErasing } from "./erasures/index.ts";
import { resumeJobs, startJobs } from "./jobs/index.ts";
import { judge, judgeInput } from "./judges/index.ts";
import { createModels } from "./model/index.ts";
import { createConnections, modelConnections, resumeIfOver, tenantPrices } from "./model-connections/index.ts";
import { schedules, startScheduler } from "./schedules/index.ts";
import { evaluationSchema } from "./schema.ts";
import { evaluationSettings } from "./settings/index.ts";
import { definitionTrials } from "./trials/index.ts";

/** A background worker; `stop` resolves when all of its work has ended. */
interface Worker {
  stop(): Promise<void>;
}

/** Resources to mount, one per line. */
const resources: readonly ((deps: Deps) => Mount)[] = [
  modelConnections,
  schedules,
  evaluationSettings,
  definitionTrials,
  documentTestTriggers,
];

/** Background workers, one per line. Stopped in reverse order, before the database closes. */
const workers: readonly ((deps: Deps) => Worker)[] = [
  startScheduler,
  startErasing,
  (deps) =>
    startJobs(deps, {
      judge,
      toInput: judgeInput,
      connections: deps.connections,
      resumeIfOver: (tenant, refusal) => resumeIfOver(deps.database, tenant, refusal, deps.clock.now()),
    }),
];

/** Creates the evaluation service: jobs that judge tests, model connections, budgets and schedules. */
export async function createEvaluation(
  config: EvaluationConfig,
  { log, bus, clock, newId, random, peer }: ServiceDeps,
): Promise<Service> {
  const { RELAY_DATABASE_URL: url, RELAY_POOL_MAX: poolMax } = config;
  const relayDatabase = new RelayDatabase({ schema: evaluationSchema, url, poolMax, log });
  const models = createModels(config);
  const running: Worker[] = [];
  const service = await openService(evaluationSchema, config, { log, bus, clock, relayDatabase }, (database) => {
    const publish = publisher(evaluationSchema.name, { clock, newId });
    const secrets = secretBox(config.SEALING_KEYS, random, "model connections");
    const modelPrices = createClient(ModelPriceService, peer("traces"));
    const prices = tenantPrices({ modelPrices, clock, newId, fallback: models.findPrice });
    const deps: Deps = {
      config,
      database,
      relayDatabase,
      publish,
      clock,
      newId,
      random,
      log,
      secrets,
      models,
      prices,
      onConnectionWorks: (tx, applicationId, now) => resumeJobs(tx, applicationId, "model_connection", now),
      connections: createConnections({ database, secrets, models, prices, clock, publish }),
      execution: createClient(ExecutionService, peer("experiments")),
      documentTests: createClient(DocumentTestExecutionService, peer("experiments")),
      erasureWork: createClient(ErasureWorkService, peer("experiments")),
      references: createClient(ReferenceService, peer("catalog")),
      plans: createClient(TestPlanService, peer("catalog")),
    };
    running.push(...workers.map((start) => start(deps)));
    return resources.map((resource) => resource(deps));
  });
  return {
    ...service,
    close: async () => {
      for (const worker of running.reverse()) await worker.stop();
      await service.close();
      await models.close();
      await relayDatabase.close();
    },
  };
}
