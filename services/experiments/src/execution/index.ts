import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { type Mount, mount } from "@ems/kit/rpc/service";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../deps.ts";
import { getJudgeInput } from "../judge-input/index.ts";
import { getExecutionSettings, setExecutionSettings } from "../monitoring/index.ts";
import { getPromptInput } from "./get-prompt-input.ts";
import { recordEvaluations } from "./record-evaluations.ts";
import { recordPromptOutcome } from "./record-prompt-outcome.ts";
import { setPrompt } from "./set-prompt.ts";
import { startRun } from "./start-run-by-id.ts";
import { type ClaimedWork, claimOf, claimWork, confirmWork } from "./work.ts";

export { closeTests } from "./close-tests.ts";
export { startDeadlines } from "./deadlines.ts";
export { endRuns } from "./end-runs.ts";
export { insertPlannedTests, type PlannedTest } from "./insert-planned-tests.ts";

export const execution = (deps: Deps, relay: RelayDatabase): Mount =>
  mount(ExecutionService, {
    claimWork: async ({ limit, leaseMs }) => ({ work: (await claimWork(relay, limit, leaseMs)).map(work) }),
    confirmWork: async ({ claims }) => {
      await confirmWork(relay, claims);
      return {};
    },
    getJudgeInput: getJudgeInput(deps),
    getExecutionSettings: getExecutionSettings(deps),
    getPromptInput: getPromptInput(deps),
    recordEvaluations: recordEvaluations(deps),
    recordPromptOutcome: recordPromptOutcome(deps),
    setExecutionSettings: setExecutionSettings(deps),
    setPrompt: setPrompt(deps),
    startRun: startRun(deps),
  });

function work(claimed: ClaimedWork) {
  const { applicationId, orgId, testId, state, evaluations } = claimed;
  const judge = {
    evaluations: evaluations.map(({ id, definitionId, definitionType }) => ({
      ...{ id, definitionId },
      definitionType: EvalDefinitionType[definitionType],
    })),
  };
  return {
    ...{ applicationId, orgId, testId, claim: claimOf(claimed) },
    task:
      state === "prompt" ? ({ case: "writePrompt", value: {} } as const) : ({ case: "judge", value: judge } as const),
  };
}
