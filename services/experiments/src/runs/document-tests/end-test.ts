import type { Transaction } from "@ems/kit/db/transaction";
import type { Deps } from "../../deps.ts";
import { ContradictionEntity } from "../../experiments/contradictions/index.ts";
import { DocumentQuestionEntity, DocumentTestEntity, type DocumentTestRow } from "./entity.ts";
import { documentTestCompleted } from "./messages.ts";
import { type EarlierContradiction, findContradictions, type PairContradiction } from "./new-contradictions.ts";
import type { AnsweredQuestion } from "./question.ts";
import { buildOutcome, type ComparedPair, comparedPairs } from "./results.ts";

const earlierContradictions = `SELECT c.id, c.quickstart_id AS "quickstartId", c.document_a_id AS "documentAId", c.document_b_id AS "documentBId",
    c.reason, c.passage_a AS "passageA", c.passage_b AS "passageB", c.resolved
  FROM experiments.contradiction c
  WHERE c.application_id = $1 AND c.document_a_id = ANY ($2::uuid[]) AND c.document_b_id = ANY ($2::uuid[])
  ORDER BY c.created_at, c.id`;

/** Ends a locked test: stores its results and contradictions and deletes its questions. */
export async function endTest(
  { clock, newId, publish }: Pick<Deps, "clock" | "newId" | "publish">,
  tx: Transaction,
  test: DocumentTestRow,
  questions: readonly AnsweredQuestion[],
): Promise<void> {
  const { applicationId, id, type, plan, quickstartId } = test;
  const now = clock.now();
  if (plan === null) throw new Error("the document test was not planned");
  const ofPairs = new Map<string, readonly PairContradiction[]>();
  const pairs = type === "MECE" ? comparedPairs(plan, questions).filter((pair) => pair.contradictions.length > 0) : [];
  if (pairs.length > 0 && quickstartId !== null) {
    const ids = [...new Set(pairs.flatMap(({ documentA, documentB }) => [documentA.id, documentB.id]))];
    const earlier = await tx.query<EarlierContradiction>(earlierContradictions, [applicationId, ids]);
    for (const pair of pairs)
      ofPairs.set(
        getKey(pair),
        findContradictions(pair, earlier, () => ({ id: newId(), quickstartId })),
      );
  }
  const created = [...ofPairs.values()]
    .flat()
    .flatMap((contradiction) => ("created" in contradiction ? [contradiction.created] : []));
  await tx.insert(
    ContradictionEntity,
    created.map((contradiction) => ({
      ...contradiction,
      applicationId,
      orgId: test.orgId,
      documentTestId: id,
      assignedTo: null,
      createdAt: now,
      modifiedAt: now,
    })),
  );
  const getStored = (pair: ComparedPair) =>
    (ofPairs.get(getKey(pair)) ?? []).map((contradiction) =>
      "created" in contradiction ? contradiction.created : contradiction.earlier,
    );
  const outcome = buildOutcome(type, plan, questions, getStored);
  const ended = { plan: null, waitingFor: null, dueAt: null, questionsEnded: questions.length, modifiedAt: now };
  tx.deferUpdate(DocumentTestEntity, { applicationId, id }, { ...outcome, ...ended });
  tx.deferDelete(DocumentQuestionEntity, { applicationId, documentTestId: id });
  await publish(tx, test, documentTestCompleted({ ...test, ...outcome }));
}

const getKey = ({ documentA, documentB }: ComparedPair) => `${documentA.id} ${documentB.id}`;
