import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Handlers } from "@ems/kit/rpc/service";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import type { ExecutionService, WorkSchema } from "@ems/proto/experiments/v1/execution_service";
import { type ClaimedWork, claimWork as claim, claimOf } from "./work.ts";

type Handler = Handlers<typeof ExecutionService>["claimWork"];

/** Due work of all tenants, under a lease. */
export function claimWork(relay: RelayDatabase): Handler {
  return async ({ limit, leaseMs }) => ({ work: (await claim(relay, limit, leaseMs)).map(work) });
}

function work(claimed: ClaimedWork): MessageInitShape<typeof WorkSchema> {
  const { applicationId, orgId, testId, state } = claimed;
  const evaluations = claimed.evaluations.map(({ id, definitionId, definitionType }) => {
    return { id, definitionId, definitionType: EvalDefinitionType[definitionType] };
  });
  return {
    ...{ applicationId, orgId, testId, claim: claimOf(claimed) },
    task: state === "prompt" ? { case: "writePrompt", value: {} } : { case: "judge", value: { evaluations } },
  };
}
