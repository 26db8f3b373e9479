import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Handlers } from "@ems/kit/rpc/service";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import type { ExecutionService, WorkSchema } from "@ems/proto/experiments/v1/execution_service";
import { documentTestQueue, type OfferedTest } from "../document-tests/index.ts";
import { type ClaimedWork, formatClaim, workQueue } from "./work.ts";

type Handler = Handlers<typeof ExecutionService>["claimWork"];

/** Claims due work for all tenants under a lease. */
export function claimWork(relay: RelayDatabase): Handler {
  return async ({ limit, leaseMs }) => {
    const tests = await workQueue.on(relay).claim({ rowsMax: limit, leaseMs });
    const ofDocuments = await documentTestQueue.on(relay).claim({ rowsMax: limit - tests.length, leaseMs });
    return { work: [...tests.map(work), ...ofDocuments.map(documentWork)] };
  };
}

function documentWork({ applicationId, orgId, id: testId, attempt }: OfferedTest): MessageInitShape<typeof WorkSchema> {
  const claim = formatClaim({ applicationId, testId, attempt });
  return { applicationId, orgId, testId, claim, task: { case: "askDocuments", value: {} } };
}

function work(claimed: ClaimedWork): MessageInitShape<typeof WorkSchema> {
  const { applicationId, orgId, testId, state } = claimed;
  const evaluations = claimed.evaluations.map(({ id, definitionId, definitionType }) => {
    return { id, definitionId, definitionType: EvalDefinitionType[definitionType] };
  });
  return {
    applicationId,
    orgId,
    testId,
    claim: formatClaim(claimed),
    task: state === "prompt" ? { case: "writePrompt", value: {} } : { case: "judge", value: { evaluations } },
  };
}
