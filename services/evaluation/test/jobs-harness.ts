// Workers for tests: a real database, fakes for experiments and the model, and a clock that tests move.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, createRouterTransport } from "@connectrpc/connect";
import { monotonicMs } from "@ems/kit/clock";
import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { unavailable } from "@ems/kit/errors";
import { publisher } from "@ems/kit/events/publish";
import { newId, secureRandom } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import type { Tenant } from "@ems/kit/tenant";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import {
  type DocumentAnswer,
  type DocumentQuestionSchema,
  DocumentTestExecutionService,
} from "@ems/proto/experiments/v1/document_test_execution_service";
import {
  type EvaluationOutcome,
  ExecutionService,
  type GetPromptInputResponse,
  type SetPromptRequest,
} from "@ems/proto/experiments/v1/execution_service";
import { fixedClock, type TestPostgres, testDatabase, testTenant } from "@ems/test-support";
import { startFaultProxy } from "@ems/test-support/fault-proxy";
import { testKeys } from "@ems/test-support/rpc-keys";
import { afterAll, inject } from "vitest";
import { Budgets } from "../src/budgets/index.ts";
import { evaluationConfig } from "../src/config.ts";
import type { Connection, Connections } from "../src/jobs/connections.ts";
import { addJobs, type NewJob } from "../src/jobs/store.ts";
import { JobWorker } from "../src/jobs/worker.ts";
import type { Judge, ModelFault, ModelRequest } from "../src/judges/judge.ts";
import { ModelLimits } from "../src/limits/index.ts";
import { resumeIfOver } from "../src/model-connections/index.ts";
import { evaluationSchema } from "../src/schema.ts";
import { SettingEntity } from "../src/setting.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: TestPostgres;
  }
}

/** A judge that makes one call and passes. */
export const judgeByOneCall: Judge = async (_, { model, signal }) => {
  if (model === undefined) return { status: "FAILED", message: "no_model_connection: none", judgeVersion: "test/1" };
  const schema = { name: "answer", json: {}, parse: () => true };
  await model.generate({ system: "judge", prompt: "answer", schema, temperature: 0, maxOutputTokens: 10, signal });
  return { status: "COMPLETED", score: 1, passed: true, judgeVersion: "test/1" };
};

export type Generate = (request: ModelRequest<unknown>) => Promise<void>;

export async function jobsHarness(env: Record<string, string> = {}) {
  const database = await testDatabase(inject("postgres"));
  /** Proxy between the workers and PostgreSQL; `sql` does not use it. */
  const proxy = await startFaultProxy(() => Number(new URL(database.superuserUrl).port));
  const throughProxy = (url: string) =>
    Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(proxy.port) }).href;
  const log = createLog("evaluation", "silent");
  const clock = fixedClock();
  const config = evaluationConfig({
    DATABASE_URL: throughProxy(database.getUrl(evaluationSchema)),
    RELAY_DATABASE_URL: throughProxy(database.getRelayUrl(evaluationSchema)),
    RPC_PORT: "0",
    RPC_CALLERS: "gateway",
    ...testKeys,
    SEALING_KEYS: `test:${secureRandom(32).toString("base64")}`,
    JOBS_POLL_MS: "20",
    ...env,
  });
  const dataSource = serviceDataSource({ url: config.DATABASE_URL, poolMax: 8, schema: evaluationSchema, log });
  await dataSource.initialize();
  const own = new Database(dataSource);
  const url = config.RELAY_DATABASE_URL;
  const relayDatabase = new RelayDatabase({ schema: evaluationSchema, url, poolMax: 8, log });
  /** Outcomes that experiments recorded, in order. */
  const outcomes: EvaluationOutcome[] = [];
  const prompts: SetPromptRequest[] = [];
  const peer = {
    isDown: false,
    isDownForRecords: false,
    /** Called before experiments responds to a read or records an outcome. */
    onRead: (): void => undefined,
    onRecord: (): void => undefined,
    onOutcome: (_: EvaluationOutcome): void => undefined,
    gone: new Set<string>(),
    promptInput: {} as Partial<Omit<GetPromptInputResponse, "$typeName">>,
  };
  /** Unanswered questions of the only document test, and all answers in order. */
  const questions = new Map<string, MessageInitShape<typeof DocumentQuestionSchema>>();
  const answers: DocumentAnswer[] = [];
  const documentTests = createClient(
    DocumentTestExecutionService,
    createRouterTransport((router) =>
      router.service(DocumentTestExecutionService, {
        planDocumentTest: () => ({ questionIds: [...questions.keys()] }),
        getDocumentQuestions: ({ ids }) => {
          if (peer.isDown) throw unavailable();
          return { questions: ids.flatMap((id) => questions.get(id) ?? []) };
        },
        recordDocumentAnswers: (request) => {
          if (peer.isDownForRecords) throw unavailable();
          answers.push(...request.answers);
          for (const { id, outcome } of request.answers) if (outcome.case !== "waitingFor") questions.delete(id);
          return {};
        },
      }),
    ),
  );
  const execution = createClient(
    ExecutionService,
    createRouterTransport((router) =>
      router.service(ExecutionService, {
        getJudgeInput: ({ evaluationIds }) => {
          if (peer.isDown) throw unavailable();
          peer.onRead();
          const left = evaluationIds.filter((id) => !peer.gone.has(id));
          const definition = { id: newId(), version: 3, type: EvalDefinitionType.CUSTOM };
          return { question: "Q", output: "A", evaluations: left.map((id) => ({ id, definition })) };
        },
        recordEvaluations: (request) => {
          if (peer.isDownForRecords) throw unavailable();
          peer.onRecord();
          for (const outcome of request.outcomes) peer.onOutcome(outcome);
          outcomes.push(...request.outcomes);
          return {};
        },
        getPromptInput: () => ({ title: "T", description: "D", isWaiting: true, ...peer.promptInput }),
        setPrompt: (request) => {
          peer.onRecord();
          prompts.push(request);
          return {};
        },
      }),
    ),
  );
  const workers: JobWorker[] = [];
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await dataSource.destroy();
    await relayDatabase.close();
    await proxy.close();
    await database.drop();
  });
  const usage = { inputTokens: 10, outputTokens: 5 };
  const connection = (generate: Generate, overrides: Partial<Connection> = {}): Connection => ({
    id: newId(),
    name: "Test",
    provider: "openai",
    baseUrl: null,
    model: "m",
    limits: {},
    cost: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
    pauseReason: undefined,
    caller: {
      async generate(request) {
        await generate(request as ModelRequest<unknown>);
        // The tests read only the usage.
        return { object: {} as never, usage, model: "m" };
      },
    },
    ...overrides,
  });
  const faults: ModelFault[] = [];
  const createConnections = (found: Connection | undefined): Connections => ({
    find: async () => found,
    succeeded: async () => undefined,
    failed: async (_, __, fault) => {
      faults.push(fault);
      return false;
    },
  });
  // Each worker has its own, because real workers are separate processes.
  const newBudgets = () =>
    new Budgets({
      database: own,
      publish: publisher("evaluation", { clock, newId }),
      clock,
      uncertainShare: config.BUDGET_UNCERTAIN_SHARE,
    });
  const limits = new ModelLimits(relayDatabase, config.MODEL_WINDOW_MS);
  return {
    ...database,
    proxy,
    own,
    relayDatabase,
    clock,
    config,
    outcomes,
    prompts,
    questions,
    answers,
    peer,
    faults,
    connection,
    budgets: newBudgets(),
    limits,
    /** Starts a worker, which is stopped after the tests of the file at the latest. */
    start(found: Connection | undefined, judge = judgeByOneCall, connections = createConnections(found), votes = 1) {
      const worker = new JobWorker({
        config,
        execution,
        documentTests,
        relayDatabase,
        newId,
        random: secureRandom,
        log,
        clock,
        judge,
        toInput: () => ({
          question: "Q",
          output: "A",
          context: [],
          hasRetriever: false,
          facts: [],
          definition: { type: "CUSTOM", name: "Test", criterion: "It is A", styleGuide: [] },
          expected: undefined,
          votes,
        }),
        connections,
        meter: { limits, budgets: newBudgets(), connections, clock, newId, callTimeoutMs: 60_000 },
        findSetting: ({ applicationId, orgId }) =>
          own.withScope({ applicationId, orgId }, monotonicMs() + 5_000, (tx) =>
            tx.findOne(SettingEntity, { applicationId }),
          ),
        resumeIfOver: (tenant, refusal) => resumeIfOver(own, tenant, refusal, clock.now()),
      });
      workers.push(worker);
      return worker;
    },
    /** Adds jobs of different tests, and returns their ids. */
    async add(count: number, tenant: Tenant = testTenant(), overrides: Partial<NewJob> = {}): Promise<string[]> {
      const { applicationId, orgId } = tenant;
      const jobs = Array.from({ length: count }, (): NewJob => {
        const id = newId();
        return { applicationId, orgId, id, kind: "JUDGE", testId: id, needsModel: true, ...overrides };
      });
      await addJobs(relayDatabase, clock.now(), jobs);
      return jobs.map(({ id }) => id);
    },
    ended: () => outcomes.filter(({ status }) => status > 2),
  };
}
