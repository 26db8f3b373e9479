import { type Mount, mount } from "@ems/kit/rpc/service";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { batchGetJudgeDefinitions, getDraftJudgeDefinition } from "../definitions/index.ts";
import type { Deps } from "../deps.ts";
import { createTracedTask, ensureDeducedTask, eraseTracedTasks } from "../tasks/index.ts";
import { getTestPlans } from "./get-test-plans.ts";

/** Internal RPCs for other services: tasks to test, and definitions of judges. */
export const testPlans = (deps: Deps): Mount =>
  mount(TestPlanService, {
    getTestPlans: getTestPlans(deps),
    batchGetJudgeDefinitions: batchGetJudgeDefinitions(deps),
    getDraftJudgeDefinition: getDraftJudgeDefinition(deps),
    ensureDeducedTask: ensureDeducedTask(deps),
    createTracedTask: createTracedTask(deps),
    eraseTracedTasks: eraseTracedTasks(deps),
  });
