import { enumName } from "@ems/kit/enum";
import { invalidField, invalidFields, notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import { forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { RunType, RunTypeSchema } from "@ems/proto/experiments/v1/run";
import type { TestService } from "@ems/proto/experiments/v1/test_service";
import { EvaluationEntity } from "@ems/results";
import type { Deps } from "../../deps.ts";
import { followRecordedRun, followRuns } from "../../experiments/experiments/index.ts";
import { closePassed } from "../../review/issues/index.ts";
import { applySums, summedTest } from "../rollups/index.ts";
import { addToRun, RunEntity, type RunRow, recordedRun } from "../runs/index.ts";
import { addMonths } from "./add-months.ts";
import { TestEntity } from "./entity.ts";
import { getCreatedAt, newResults, runStatus, scaleFaults, sizeFaults, timeFaults } from "./new-results.ts";
import { redactResults } from "./redact-results.ts";

type Handler = Handlers<typeof TestService>["recordResults"];

/** Records tests and evaluations that were executed elsewhere, in a new or existing run. */
export function recordResults({ database, clock, newId, references, retention, redactors }: Deps): Handler {
  return async (received, call) => {
    const now = clock.now();
    const request = await redactResults(await redactors.of(call.tenant), call.tenant.applicationId, received);
    const faults = [...timeFaults(request.tests, now, retention.since("results")), ...sizeFaults(request.tests)];
    if (faults.length > 0) throw invalidFields(faults);

    const evaluations = request.tests.flatMap((test) => test.evaluations);
    const taskIds = distinctIds(request.tests.map(({ taskId }) => taskId));
    const definitionIds = distinctIds(evaluations.map(({ definitionId }) => definitionId));
    const found = await references.checkReferences({ taskIds, definitionIds }, forward(call));
    if (found.missingTaskIds.length > 0) throw notFound("Task");
    if (found.missingDefinitionIds.length > 0) throw notFound("Evaluation definition");
    const scoreFaults = scaleFaults(request.tests, found);
    if (scoreFaults.length > 0) throw invalidFields(scoreFaults);

    const { applicationId, orgId } = call.tenant;
    const dates = request.tests.map((test) => getCreatedAt(test, now));
    const status = runStatus(request.tests);
    const experimentVariantId = request.run?.experimentVariantId?.toLowerCase() ?? null;
    const type = request.run?.type ?? (experimentVariantId === null ? RunType.MANUAL : RunType.EXPERIMENT);
    if (experimentVariantId !== null && type !== RunType.EXPERIMENT)
      throw invalidField(["run", "type"], "A run of a variant must have the type EXPERIMENT");
    const newRun = (): RunRow => ({
      applicationId,
      id: newId(),
      orgId,
      type: enumName(RunTypeSchema, type),
      status,
      title: request.run?.title ?? null,
      name: request.run?.title ?? "",
      version: request.run?.version ?? null,
      commit: request.run?.commit ?? null,
      notes: request.run?.notes ?? null,
      createdAt: new Date(Math.min(...dates.map((date) => date.getTime()))),
      modifiedAt: now,
      experimentVariantId,
    });

    return database.runExpensive(call, () =>
      database.change(call, async (tx) => {
        addMonths(tx, dates);
        let row =
          request.runId === undefined ? newRun() : await addToRun(tx, applicationId, request.runId, status, now);
        if (row === undefined) throw notFound("Run");
        if (request.runId === undefined) {
          const tasks = request.tests.map(({ taskId }) => taskId.toLowerCase());
          // Must come before the sums change, because starting a run locks the experiment before it changes sums.
          await followRecordedRun(tx, row, tasks, now);
          const [named] = await tx.insertReturning(RunEntity, [row], ["name"]);
          row = { ...row, ...named };
        } else await followRuns(tx, applicationId, now, [row]);
        const context = { applicationId, orgId, runId: row.id, runType: row.type, now, newId };
        const results = newResults(request.tests, found, context);
        await tx.insert(TestEntity, results.tests);
        await tx.insert(EvaluationEntity, results.evaluations);
        const judged = Map.groupBy(results.evaluations, ({ testId }) => testId);
        applySums(tx, {
          tests: results.tests.map((test) => ({ after: summedTest(test, judged.get(test.id) ?? []) })),
          evaluations: results.evaluations.map((evaluation) => ({ after: { ...evaluation, runType: row.type } })),
        });
        const ended = results.tests.map((test) => ({ test, evaluations: judged.get(test.id) ?? [] }));
        closePassed(tx, applicationId, now, ended);
        return {
          run: recordedRun(row),
          count: BigInt(results.tests.length),
          evaluationCount: BigInt(results.evaluations.length),
          testIds: results.tests.map(({ id }) => id),
        };
      }),
    );
  };
}
