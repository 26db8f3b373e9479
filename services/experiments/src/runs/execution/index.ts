import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { type Mount, mount } from "@ems/kit/rpc/service";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../../deps.ts";
import { getJudgeInput, getTraceInput } from "../judge-input/index.ts";
import { getExecutionSettings, setExecutionSettings } from "../monitoring/index.ts";
import { claimWork } from "./claim-work.ts";
import { confirmWork } from "./confirm-work.ts";
import { getPromptInput } from "./get-prompt-input.ts";
import { recordEvaluations } from "./record-evaluations.ts";
import { recordPromptOutcome } from "./record-prompt-outcome.ts";
import { setPrompt } from "./set-prompt.ts";
import { startRun } from "./start-run.ts";

export { cancelTests } from "./cancel-tests.ts";
export { closingTrace, startCompletions } from "./complete-tests.ts";
export { startDeadlines } from "./deadlines.ts";
export { endRuns } from "./end-runs.ts";
export type { Owner } from "./entity.ts";
export { failTests } from "./fail-tests.ts";
export { insertPlannedTests, type PlannedTest } from "./insert-planned-tests.ts";
export { lockTests } from "./lock-tests.ts";
export { insertRun, planFrozen, planRun, type RunToStart, toLabels } from "./new-run.ts";
export { plannedDefinitions } from "./plan-tests.ts";
export { requestPrompts } from "./request-prompts.ts";
export { rerunEvaluations } from "./rerun-evaluations.ts";
export { triggerTasks } from "./trigger-tasks.ts";

export const execution = (deps: Deps, relay: RelayDatabase): Mount =>
  mount(ExecutionService, {
    claimWork: claimWork(relay),
    confirmWork: confirmWork(relay),
    getJudgeInput: getJudgeInput(deps),
    getExecutionSettings: getExecutionSettings(deps),
    getTraceInput: getTraceInput(deps),
    getPromptInput: getPromptInput(deps),
    recordEvaluations: recordEvaluations(deps),
    recordPromptOutcome: recordPromptOutcome(deps),
    setExecutionSettings: setExecutionSettings(deps),
    setPrompt: setPrompt(deps),
    startRun: startRun(deps),
  });
