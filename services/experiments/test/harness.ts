import type { MessageInitShape } from "@bufbuild/protobuf";
import { pageTooLarge } from "@ems/kit/answer-size";
import { notFound, unavailable } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { definedFields } from "@ems/kit/patch";
import { type DocumentChunkSchema, DocumentService } from "@ems/proto/catalog/v1/document_service";
import { type EvalDefinitionSchema, EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { type ListedTaskSchema, type TaskSchema, TaskService, TaskType } from "@ems/proto/catalog/v1/task_service";
import {
  type CreateTracedTaskRequest,
  type TestPlanSchema,
  TestPlanService,
} from "@ems/proto/catalog/v1/test_plan_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { outboxEvents, serviceHarness, type TestDatabase, testTenant } from "@ems/test-support";
import { tracesConfig } from "@ems/traces/config";
import { tracesSchema } from "@ems/traces/schema";
import { createTraces } from "@ems/traces/service";
import { experimentsConfig } from "../src/config.ts";
import { experimentsSchema } from "../src/schema.ts";
import { createExperiments } from "../src/service.ts";

/** The only user of the fake identity. */
export const user = { id: "ada", name: "Ada Lovelace", email: "ada@example.com" };

type PlanFields = Omit<MessageInitShape<typeof TestPlanSchema>, "$typeName" | "$unknown">;

/**
 * Starts experiments and traces on a new database, or on `database`, with fakes: identity knows only `user`; catalog
 * knows every id except those in `missing`, as a definition of type FACT unless `definitions` has its fields.
 */
export async function experimentsHarness(env: Record<string, string> = {}, database?: TestDatabase) {
  const missing = new Set<string>();
  const registered: string[] = [];
  /** `plansMax`: number of plans above which a response is too large. */
  const catalog = { isDown: false, plansMax: Number.POSITIVE_INFINITY };
  /** Topics by task, without tasks that have no topic. */
  const topicByTask = new Map<string, string>();
  /** Fields of the tasks' plans, which replace or extend the default ones. */
  const plans = new Map<string, PlanFields>();
  const buildPlan = (taskId: string) => ({
    taskId,
    type: TaskType.NORMAL,
    title: `Task ${taskId}`,
    description: "Says hello",
    inputExamples: ["Hello"],
    ...definedFields({ topicId: topicByTask.get(taskId) }),
    ...plans.get(taskId),
  });
  /** Fields of definitions, which replace or extend the default ones. */
  const definitions = new Map<string, MessageInitShape<typeof EvalDefinitionSchema>>();
  const buildDefinition = (id: string) => ({
    id,
    name: `Definition ${id}`,
    type: EvalDefinitionType.FACT,
    ...definitions.get(id),
  });
  /** Versions of definitions, if not 1. */
  const versionByDefinition = new Map<string, number>();
  /** Created tasks by idempotency key. */
  const madeTasks = new Map<string, MessageInitShape<typeof TaskSchema>>();
  /** Tasks made from traces, newest first. */
  const tracedTasks: { readonly id: string; readonly key: string; readonly request: CreateTracedTaskRequest }[] = [];
  /** DEDUCED tasks by topic; the application's own task has the empty key. */
  const deduced = new Map<string, string>();
  const referenceChecks: { topicIds: string[]; taskIds: string[] }[] = [];
  /**
   * Passages of approved documents and ACTIVE tasks, the same for every tenant, and the statuses for which passages
   * were requested.
   */
  const library = {
    chunks: [] as MessageInitShape<typeof DocumentChunkSchema>[],
    tasks: [] as MessageInitShape<typeof ListedTaskSchema>[],
    readBy: [] as number[][],
  };
  const harness = await serviceHarness({
    schema: experimentsSchema,
    config: experimentsConfig,
    build: createExperiments,
    companion: { schema: tracesSchema, config: tracesConfig, build: createTraces, env },
    env,
    database,
    peers: (router) => {
      router.service(UserService, {
        batchGetUsers: ({ ids }) => ({ users: ids.includes(user.id) ? [user] : [] }),
      });
      router.service(TestPlanService, {
        getTestPlans: ({ taskIds }) => {
          if (taskIds.length > catalog.plansMax) throw pageTooLarge();
          return { plans: taskIds.filter((id) => !missing.has(id)).map(buildPlan) };
        },
        batchGetJudgeDefinitions: ({ ids, taskId }) => ({
          facts: [`What is true of ${taskId}`],
          definitions: ids
            .filter((id) => !missing.has(id))
            .map((id) => ({
              id,
              version: versionByDefinition.get(id) ?? 1,
              name: `Definition ${id}`,
              type: EvalDefinitionType.FACT,
            })),
        }),
        ensureDeducedTask: ({ topicId = "" }) => {
          const taskId = deduced.get(topicId);
          if (taskId === undefined) throw notFound("Topic");
          return { taskId };
        },
        createTracedTask: (request, { requestHeader }) => {
          const key = requestHeader.get("idempotency-key") ?? newId();
          const earlierTaskIds = tracedTasks
            .filter((made) => made.request.traceId === request.traceId)
            .map(({ id }) => id);
          const made = tracedTasks.find((other) => other.key === key) ?? { id: newId(), key, request };
          if (!tracedTasks.includes(made)) tracedTasks.unshift(made);
          const { title = "", description = "", inputExamples = [] } = request.task ?? {};
          return { task: { id: made.id, title, description, inputExamples, traceId: request.traceId }, earlierTaskIds };
        },
        eraseTracedTasks: ({ traceIds }) => ({
          taskIds: tracedTasks.filter(({ request }) => traceIds.includes(request.traceId)).map(({ id }) => id),
        }),
      });
      router.service(DocumentService, {
        listDocumentChunks: ({ skip = 0n, limit = 25, status }) => {
          library.readBy.push(status);
          const page = library.chunks.slice(Number(skip), Number(skip) + limit);
          return { data: page, pagination: { total: BigInt(library.chunks.length) } };
        },
      });
      router.service(TaskService, {
        listTasks: ({ skip = 0n, limit = 25 }) => ({
          data: library.tasks.slice(Number(skip), Number(skip) + limit),
          pagination: { total: BigInt(library.tasks.length) },
        }),
        createTask: ({ title, description, topicId = "", status }, { requestHeader }) => {
          const key = requestHeader.get("idempotency-key") ?? newId();
          const task = madeTasks.get(key) ?? { id: newId(), title, description, topicId, ...definedFields({ status }) };
          madeTasks.set(key, task);
          return { task };
        },
        updateTask: ({ id, title, description, status }) => ({
          task: { id, ...definedFields({ title, description, status }) },
        }),
      });
      router.service(ReferenceService, {
        checkReferences: ({ topicIds, taskIds, definitionIds }) => {
          referenceChecks.push({ topicIds, taskIds });
          return {
            missingTopicIds: topicIds.filter((id) => missing.has(id)),
            missingTaskIds: taskIds.filter((id) => missing.has(id)),
            missingDefinitionIds: definitionIds.filter((id) => missing.has(id)),
            tasks: taskIds.map((id) => ({ id, ...definedFields({ topicId: topicByTask.get(id) }) })),
            definitions: definitionIds.map((id) => ({ id, type: buildDefinition(id).type })),
          };
        },
        batchGetReferences: ({ taskIds, definitionIds, topicIds }) => ({
          topics: topicIds.filter((id) => !missing.has(id)).map((id) => ({ id, title: `Topic ${id}` })),
          tasks: taskIds
            .filter((id) => !missing.has(id))
            .map((id) => ({ id, title: `Task ${id}`, ...definedFields({ topicId: topicByTask.get(id) }) })),
          definitions: definitionIds.filter((id) => !missing.has(id)).map(buildDefinition),
        }),
        registerQuickstart: ({ id }) => {
          if (catalog.isDown) throw unavailable();
          registered.push(id);
          return {};
        },
      });
    },
  });
  /** Returns the data of the people.assigned events that contain `id`. */
  const peopleAssigned = async (id: string) => {
    const events = await outboxEvents(harness.database, "experiments", { type: "people.assigned", text: id });
    return events.map(({ payload }) => JSON.parse(payload).data);
  };
  return {
    ...harness,
    tenant: testTenant(),
    missing,
    registered,
    referenceChecks,
    catalog,
    topicByTask,
    plans,
    definitions,
    versionByDefinition,
    deduced,
    madeTasks,
    tracedTasks,
    library,
    peopleAssigned,
  };
}
