import type { Transaction } from "@ems/kit/db/transaction";
import { enumName } from "@ems/kit/enum";
import { failure, notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  type HumanAnnotationService,
  HumanAnnotationSourceSchema,
} from "@ems/proto/experiments/v1/human_annotation_service";
import { toTraceId } from "@ems/traces-client";
import { namedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { requireTrace } from "../../traces/index.ts";
import { completeItem, type QueueItemRow } from "../annotation-queues/index.ts";
import { markTest } from "../calibration/index.ts";
import { HumanAnnotationEntity, type HumanAnnotationRow, humanAnnotationVersions } from "./entity.ts";
import { issueOfFailure } from "./issue-of-failure.ts";
import { humanAnnotation } from "./messages.ts";

type Handler = Handlers<typeof HumanAnnotationService>["createHumanAnnotation"];

/** A trace with its test, and the test's task and topic. */
interface Found {
  readonly about: Pick<HumanAnnotationRow, "traceId" | "testId" | "taskId" | "topicId">;
  readonly definitionIds: readonly string[] | null;
}

const testOfTrace = `SELECT t.id AS "testId", t.task_id AS "taskId", t.topic_id AS "topicId", t.definition_ids AS "definitionIds"
  FROM experiments.test t WHERE t.application_id = $1 AND t.id = $2`;

const itemOfTrace = `SELECT i.id, i.completed_at AS "completedAt", i.expires_at AS "expiresAt"
  FROM experiments.human_annotation_queue_item i
  WHERE i.application_id = $1 AND i.id = $2 AND i.trace_id = $3 FOR UPDATE`;

/** Creates or updates the caller's annotation of a trace. */
export function createHumanAnnotation(
  deps: Pick<Deps, "database" | "stores" | "publish" | "clock" | "newId" | "users">,
): Handler {
  const { database, clock, newId, users } = deps;
  return ({ verdict = false, source, critique = null, ...ids }, call) =>
    database.changeAfter(
      call,
      async () => {
        // Sequential, so that a request with two errors always gets the same one.
        const people = await namedUsers(users, call, [call.tenant.userId]);
        return { people, ...(await findTrace(deps, call, toTraceId(ids.traceId))) };
      },
      async (tx, { people, about, definitionIds }) => {
        const { applicationId, orgId, userId } = call.tenant;
        const now = clock.now();
        const queueItemId = ids.queueItemId?.toLowerCase() ?? null;
        if (queueItemId !== null)
          completeItem(tx, await openItem(tx, call, queueItemId, about.traceId, now), call, now);

        const row: HumanAnnotationRow = {
          ...about,
          applicationId,
          orgId,
          id: newId(),
          annotatorId: userId,
          issueId: null,
          verdict,
          source: enumName(HumanAnnotationSourceSchema, source),
          critique,
          queueItemId,
          createdAt: now,
          modifiedAt: now,
        };
        // Locks the row, so that two concurrent requests of one person create one annotation and one issue.
        const [stored] = await tx.insertReturning(HumanAnnotationEntity, [row], ["id", "issueId", "createdAt"], {
          key: ["applicationId", "traceId", "annotatorId"],
          update: ["testId", "taskId", "topicId", "verdict", "source", "critique", "queueItemId", "modifiedAt"],
        });
        const changed = { ...row, ...stored };
        markTest(tx, call.tenant, { testId: changed.testId, definitionIds });
        const issueId = await issueOfFailure(deps, tx, call, changed);
        humanAnnotationVersions.answer(call, { ...changed, issueId });
        return { data: humanAnnotation({ ...changed, issueId }, people) };
      },
    );
}

/** Finds a trace with its test; returns only the trace if it has no test or the test is not stored here. */
async function findTrace({ stores }: Pick<Deps, "stores">, call: Call, id: string): Promise<Found> {
  const { id: traceId, testId } = await requireTrace(stores, call, id);
  const nothing = { about: { traceId, testId: null, taskId: null, topicId: null }, definitionIds: null };
  if (testId === null) return nothing;
  const statement = { name: "annotated-test", text: testOfTrace, values: [call.tenant.applicationId, testId] };
  type Test = Omit<Found["about"], "traceId"> & Pick<Found, "definitionIds">;
  const [row] = await stores.database.read<Test>(call, statement);
  if (row === undefined) return nothing;
  const { definitionIds, ...about } = row;
  return { about: { traceId, ...about }, definitionIds };
}

/** Returns the queue item, which must belong to the trace and be waiting or completed. */
async function openItem(tx: Transaction, { tenant }: Call, id: string, traceId: string, now: Date) {
  type Item = Pick<QueueItemRow, "id" | "completedAt" | "expiresAt">;
  const [item] = await tx.query<Item>(itemOfTrace, [tenant.applicationId, id, traceId]);
  if (item === undefined) throw notFound("Queue item");
  if (item.completedAt === null && item.expiresAt <= now) throw failure("STATE_CONFLICT", "The queue item has expired");
  return item;
}
