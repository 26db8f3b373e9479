import type { ServiceImpl } from "@connectrpc/connect";
import type { EventBus } from "@ems/kit/events/bus";
import { secureRandom } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { DocumentTestExecutionService } from "@ems/proto/experiments/v1/document_test_execution_service";
import { ErasureWorkService } from "@ems/proto/experiments/v1/erasure_work_service";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { serviceHarness, testTenant } from "@ems/test-support";
import { evaluationConfig } from "../src/config.ts";
import { evaluationSchema } from "../src/schema.ts";
import { createEvaluation } from "../src/service.ts";

interface EvaluationHarnessOptions {
  readonly log?: Logger;
  readonly bus?: EventBus;
  /** Handlers of the fake experiments. */
  readonly execution?: Partial<ServiceImpl<typeof ExecutionService>>;
  /** Handlers of the fake experiments for document tests. */
  readonly documentTests?: Partial<ServiceImpl<typeof DocumentTestExecutionService>>;
  /** Handlers of the fake experiments for erasures. */
  readonly erasureWork?: Partial<ServiceImpl<typeof ErasureWorkService>>;
  /** Handlers of the fake catalog for definitions. */
  readonly plans?: Partial<ServiceImpl<typeof TestPlanService>>;
  /** Ids of tasks that catalog does not know; all other ids exist. */
  readonly missingTasks?: ReadonlySet<string>;
  /** Ids of tasks that are archived. */
  readonly archivedTasks?: ReadonlySet<string>;
}

/** Starts evaluation on a new database; `execution` replaces experiments. */
export async function evaluationHarness(
  env: Record<string, string> = {},
  {
    log,
    bus,
    execution = {},
    documentTests = {},
    erasureWork = {},
    plans = {},
    missingTasks = new Set(),
    archivedTasks = new Set(),
  }: EvaluationHarnessOptions = {},
) {
  const harness = await serviceHarness({
    schema: evaluationSchema,
    config: evaluationConfig,
    build: createEvaluation,
    env: { SEALING_KEYS: `test:${secureRandom(32).toString("base64")}`, ...env },
    log,
    bus,
    peers: (router) => {
      router.service(ExecutionService, { claimWork: () => ({}), ...execution });
      router.service(DocumentTestExecutionService, documentTests);
      router.service(ErasureWorkService, { claimErasedItems: () => ({}), ...erasureWork });
      router.service(TestPlanService, plans);
      router.service(ReferenceService, {
        checkReferences: ({ taskIds }) => ({
          missingTaskIds: taskIds.filter((id) => missingTasks.has(id)),
          tasks: taskIds
            .filter((id) => !missingTasks.has(id))
            .map((id) => ({ id, isArchived: archivedTasks.has(id.toLowerCase()) })),
        }),
      });
    },
  });
  return { ...harness, tenant: testTenant() };
}
