// Claims work from experiments and stores it as jobs. Work that was not confirmed is offered a second time, and then
// recognized by its ids.

import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import type { Work } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../deps.ts";
import { callOptions } from "./execution.ts";
import { addJobs, type NewJob } from "./store.ts";

/** Lease of claimed work, longer than storing and confirming take. If it ends unconfirmed, the process has died. */
const leaseMs = 15_000;
const claimMax = 200;

export type WorkSourceDeps = Pick<Deps, "config" | "execution" | "relayDatabase" | "clock" | "newId" | "log"> & {
  /** Called after new jobs have been stored. */
  readonly onStored: () => void;
};

export function startWorkSource(deps: WorkSourceDeps): BackgroundLoop {
  const { config, log } = deps;
  return startLoop({
    name: "claiming tests to be evaluated",
    everyMs: config.JOBS_POLL_MS,
    backoffMaxMs: 5_000,
    log,
    work: () => takeWork(deps),
  });
}

async function takeWork({
  execution,
  relayDatabase,
  clock,
  newId,
  onStored,
}: WorkSourceDeps): Promise<"more" | "idle"> {
  const { work } = await execution.claimWork({ limit: claimMax, leaseMs }, callOptions(newId));
  if (work.length === 0) return "idle";
  await addJobs(relayDatabase, clock.now(), work.flatMap(jobsOfWork));
  onStored();
  await execution.confirmWork({ claims: work.map(({ claim }) => claim) }, callOptions(newId));
  return work.length < claimMax ? "idle" : "more";
}

function jobsOfWork({ applicationId, orgId, testId, task }: Work): NewJob[] {
  const common = { applicationId, orgId, testId };
  switch (task.case) {
    case "writePrompt":
      return [{ ...common, id: testId, kind: "PROMPT", needsModel: true }];
    case "judge":
      return task.value.evaluations.map(({ id, definitionType }) => {
        const needsModel = definitionType !== EvalDefinitionType.OUTPUT_MATCH;
        return { ...common, id, kind: "JUDGE" as const, needsModel };
      });
    case "askDocuments":
      return [{ ...common, id: testId, kind: "DOCUMENTS", needsModel: false }];
    case undefined:
      return [];
    default:
      return task satisfies never;
  }
}
