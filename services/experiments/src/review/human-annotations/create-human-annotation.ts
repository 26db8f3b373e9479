import type { Transaction } from "@ems/kit/db/transaction";
import { enumName } from "@ems/kit/enum";
import { failure, invalidField, notFound } from "@ems/kit/errors";
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
import { markDefinition } from "../calibration/index.ts";
import { findScoreFault } from "../criteria/index.ts";
import { loadCriteria } from "./criteria.ts";
import { HumanAnnotationEntity, type HumanAnnotationRow, humanAnnotationVersions } from "./entity.ts";
import { issueOfFailures } from "./issue-of-failure.ts";
import { humanAnnotation } from "./messages.ts";
import { checkCritique, lockPass, shareWithPass } from "./passes.ts";

type Handler = Handlers<typeof HumanAnnotationService>["createHumanAnnotation"];

/** A trace with its test, and the test's task and topic. */
type About = Pick<HumanAnnotationRow, "traceId" | "testId" | "taskId" | "topicId">;

const testOfTrace = `SELECT t.id AS "testId", t.task_id AS "taskId", t.topic_id AS "topicId"
  FROM experiments.test t WHERE t.application_id = $1 AND t.id = $2`;

const itemOfTrace = `SELECT i.id, i.completed_at AS "completedAt", i.expires_at AS "expiresAt",
    i.definition_id AS "definitionId"
  FROM experiments.human_annotation_queue_item i
  WHERE i.application_id = $1 AND i.id = $2 AND i.trace_id = $3 FOR UPDATE`;

/** Creates or updates the caller's annotation of a trace, by one definition or of the whole answer. */
export function createHumanAnnotation(
  deps: Pick<Deps, "database" | "stores" | "publish" | "clock" | "newId" | "users" | "references">,
): Handler {
  const { database, clock, newId, users } = deps;
  return ({ verdict = false, source, critique = null, score, passComplete, ...ids }, call) => {
    const definitionId = ids.definitionId?.toLowerCase() ?? null;
    const passId = ids.passId?.toLowerCase() ?? null;
    const isComplete = passComplete ?? passId === null;
    return database.changeAfter(
      call,
      async () => {
        // Sequential, so that a request with two errors always gets the same one.
        const people = await namedUsers(users, call, [call.tenant.userId]);
        const about = await findTrace(deps, call, toTraceId(ids.traceId));
        const criteria = await loadCriteria(deps, call, about.traceId, definitionId);
        const fault =
          score === undefined || criteria.own === undefined ? undefined : findScoreFault(criteria.own, score, verdict);
        if (fault !== undefined) throw invalidField(["score"], fault);
        return { people, about, names: criteria.names };
      },
      async (tx, { people, about, names }) => {
        const { applicationId, orgId, userId } = call.tenant;
        const now = clock.now();
        const queueItemId = ids.queueItemId?.toLowerCase() ?? null;
        if (queueItemId !== null) {
          const item = await openItem(tx, call, { id: queueItemId, traceId: about.traceId, definitionId, passId }, now);
          if (isComplete) completeItem(tx, item, call, now);
        }
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
          definitionId,
          scoreMicro: score === undefined ? null : String(Math.round(score * 1e6)),
          passId,
        };
        const siblings = await lockPass(tx, row);
        const shared = critique ?? siblings.find((sibling) => sibling.critique !== null)?.critique ?? null;
        checkCritique([row, ...siblings], shared, isComplete);
        // Locks the row, so that two concurrent requests of one person create one annotation and one issue.
        const [stored] = await tx.insertReturning(
          HumanAnnotationEntity,
          [{ ...row, critique: shared }],
          ["id", "issueId", "createdAt"],
          {
            key: ["applicationId", "traceId", "annotatorId", "definitionId"],
            // biome-ignore format: several in a line
            update: [
              "testId", "taskId", "topicId", "verdict", "source", "critique", "queueItemId", "modifiedAt",
              "scoreMicro", "passId",
            ],
          },
        );
        const changed = { ...row, critique: shared, ...stored };
        markDefinition(tx, call.tenant, definitionId);
        const issueId = await issueOfFailures(deps, tx, call, changed, siblings, names);
        shareWithPass(tx, siblings, { critique: shared, issueId, modifiedAt: now });
        humanAnnotationVersions.answer(call, { ...changed, issueId });
        return { data: humanAnnotation({ ...changed, issueId }, people) };
      },
    );
  };
}

/** Finds a trace with its test; returns only the trace if it has no test or the test is not stored here. */
async function findTrace({ stores }: Pick<Deps, "stores">, call: Call, id: string): Promise<About> {
  const { id: traceId, testId } = await requireTrace(stores, call, id);
  const nothing = { traceId, testId: null, taskId: null, topicId: null };
  if (testId === null) return nothing;
  const statement = { name: "annotated-test", text: testOfTrace, values: [call.tenant.applicationId, testId] };
  const [row] = await stores.database.read<Omit<About, "traceId">>(call, statement);
  return row === undefined ? nothing : { traceId, ...row };
}

type Item = Pick<QueueItemRow, "id" | "completedAt" | "expiresAt" | "definitionId">;

/** Returns the queue item, which must belong to the trace and the criterion, and be waiting or completed. */
async function openItem(
  tx: Transaction,
  { tenant }: Call,
  { id, traceId, definitionId, passId }: Pick<HumanAnnotationRow, "id" | "traceId" | "definitionId" | "passId">,
  now: Date,
) {
  const [item] = await tx.query<Item>(itemOfTrace, [tenant.applicationId, id, traceId]);
  if (item === undefined) throw notFound("Queue item");
  if (item.completedAt === null && item.expiresAt <= now) throw failure("STATE_CONFLICT", "The queue item has expired");
  if (item.definitionId !== null && item.definitionId !== definitionId && passId === null) {
    const message = `The queue item is for one definition: definitionId must be ${item.definitionId}`;
    throw invalidField(["definition_id"], message);
  }
  return item;
}
