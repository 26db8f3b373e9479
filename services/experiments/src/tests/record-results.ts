import { enumName } from "@ems/kit/enum";
import { invalidFields, notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import { forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { RunType, RunTypeSchema } from "@ems/proto/experiments/v1/run";
import type { TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../deps.ts";
import { RunEntity, type RunRow, type RunTypeName, run, touchRun } from "../runs/index.ts";
import { draftResults, runStatus, timeFaults } from "./results.ts";
import { addMonths, insertEvaluations, insertTests } from "./results-sql.ts";

type Handler = Handlers<typeof TestService>["recordResults"];

/** Tests and evaluations that were made elsewhere: a new run of them, or more of a run. */
export function recordResults({ database, clock, newId, references }: Deps): Handler {
  return async (request, call) => {
    const now = clock.now();
    const faults = timeFaults(request.tests, now);
    if (faults.length > 0)
      throw invalidFields(faults.map(({ index, message }) => ({ path: ["tests", index, "created_at"], message })));

    const evaluated = request.tests.flatMap(({ evaluations }) => evaluations);
    const asked = {
      taskIds: distinctIds(request.tests.map(({ taskId }) => taskId)),
      definitionIds: distinctIds(evaluated.map(({ definitionId }) => definitionId)),
    };
    const known = await references.checkReferences(asked, forward(call));
    if (known.missingTaskIds.length > 0) throw notFound("Task");
    if (known.missingDefinitionIds.length > 0) throw notFound("Evaluation definition");

    const { applicationId, orgId } = call.tenant;
    const { tests, evaluations } = draftResults(request, known, now, newId);
    const status = runStatus(tests.map((test) => test.status));
    const newRun = (): RunRow => ({
      applicationId,
      id: newId(),
      orgId,
      // Names of the enum's values are what the column takes.
      type: enumName(RunTypeSchema, request.run?.type ?? RunType.MANUAL) as RunTypeName,
      status,
      title: request.run?.title ?? null,
      createdAt: new Date(Math.min(...tests.map(({ createdAt }) => createdAt.getTime()))),
      modifiedAt: now,
    });

    return database.heavy(call, () =>
      database.change(call, async (tx) => {
        await addMonths(tx, tests);
        const row =
          request.runId === undefined ? newRun() : await touchRun(tx, applicationId, request.runId, status, now);
        if (row === undefined) throw notFound("Run");
        if (request.runId === undefined) await tx.insert(RunEntity, row);
        const recorded = { applicationId, orgId, runId: row.id, runType: row.type };
        await insertTests(tx, recorded, tests);
        await insertEvaluations(tx, recorded, evaluations);
        return {
          run: run(row),
          count: BigInt(tests.length),
          evaluationCount: BigInt(evaluations.length),
          testIds: tests.map(({ id }) => id),
        };
      }),
    );
  };
}
