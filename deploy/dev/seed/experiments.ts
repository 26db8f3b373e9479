import { toValue } from "@ems/kit/json/free-value";
import { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import { InferenceStepService, InferenceStepType } from "@ems/proto/experiments/v1/inference_step_service";
import { AssignmentStage, QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import * as bank from "./bank.ts";
import type { Catalog } from "./catalog.ts";
import type { Plan } from "./plan.ts";
import { fillTraces } from "./traces.ts";

/** Creates a quickstart in review, experiments, and traces of the assistant. */
export async function fillExperiments(plan: Plan, catalog: Catalog): Promise<void> {
  await fillQuickstart(plan, catalog);
  await fillExperimentRuns(plan, catalog);
  await fillTraces(plan);
}

async function fillQuickstart(
  { caller, random, newId, nextDay }: Plan,
  { topicIds, documentIds }: Catalog,
): Promise<void> {
  const quickstarts = caller.client(QuickstartService);
  nextDay();
  const request = { title: "First review", description: "Are the documents good enough to answer from?" };
  const { data } = await quickstarts.createQuickstart(request, caller.options);
  const id = data?.id ?? "";
  const stages = [AssignmentStage.KB_REVIEW, AssignmentStage.TASKS_TOPICS_REVIEW];
  const assignments = topicIds
    .slice(0, 500)
    .flatMap((topicId) => stages.map((stage) => ({ stage, topicId, assignedTo: random.pick(bank.people).id })));
  await quickstarts.createAssignments({ id, assignments }, caller.options);

  const found = bank.contradictions.map((words) => {
    const [documentAId = "", documentBId = documentAId] = random.some(documentIds, 2);
    return { ...words, documentTestId: newId(), documentAId, documentBId };
  });
  const { data: stored } = await quickstarts.createContradictions({ id, contradictions: found }, caller.options);
  const [first] = stored;
  if (first === undefined) return;
  const assignedTo = toValue(bank.people[0].id);
  await quickstarts.updateContradiction({ id, contradictionId: first.id, resolved: true, assignedTo }, caller.options);
}

async function fillExperimentRuns({ caller, random, nextDay }: Plan, { tasks }: Catalog): Promise<void> {
  const steps = caller.client(InferenceStepService);
  const inferenceStepIds: string[] = [];
  for (const [number, { type, ...words }] of bank.inferenceSteps.entries()) {
    const request = { ...words, type: InferenceStepType[type], externalId: `step-${number + 1}` };
    inferenceStepIds.push((await steps.createInferenceStep(request, caller.options)).data?.id ?? "");
  }
  const experiments = caller.client(ExperimentService);
  for (const words of bank.experiments) {
    nextDay();
    const about = {
      inferenceStepIds,
      taskIds: random.some(tasks, 10).map(({ id }) => id),
      assignee: random.pick(bank.people).id,
    };
    await experiments.createExperiment({ ...words, ...about }, caller.options);
  }
}
