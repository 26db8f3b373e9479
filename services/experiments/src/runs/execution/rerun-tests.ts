import type { Transaction } from "@ems/kit/db/transaction";
import { distinctIds } from "@ems/kit/id";
import type { EvaluationRow } from "@ems/results";
import type { Deps } from "../../deps.ts";
import { derivedFromEvaluations, hasEnded } from "../outcomes/index.ts";
import type { TestRow } from "../tests/index.ts";
import type { Owner } from "./entity.ts";
import { lockTests } from "./lock-tests.ts";
import { offer } from "./offer.ts";
import { pendingEvaluation } from "./pending-evaluation.ts";
import { type TestChange, writeChanges } from "./write-changes.ts";

/** Replaces ended evaluations with new ones, offers the new ones and reopens their tests; returns their number. */
export async function rerunTests(
  deps: Pick<Deps, "clock" | "newId" | "publishAll">,
  tx: Transaction,
  tenant: Owner,
  chosen: readonly Pick<EvaluationRow, "id" | "testId">[],
): Promise<number> {
  if (chosen.length === 0) return 0;
  const ids = new Set(chosen.map(({ id }) => id));
  const locked = await lockTests(tx, tenant.applicationId, distinctIds(chosen.map(({ testId }) => testId)));
  const changes = [...locked.tests.values()].flatMap((test): TestChange[] => {
    const before = locked.evaluations.get(test.id) ?? [];
    const replaced = before.filter((row) => ids.has(row.id) && hasEnded(row));
    return replaced.length === 0 ? [] : [replace(test, before, replaced, deps.newId)];
  });
  await writeChanges(deps, tx, tenant, deps.clock.now(), locked, changes);
  offer(tx, tenant, changes);
  return changes.reduce((sum, { changed }) => sum + changed.length / 2, 0);
}

function replace(
  test: TestRow,
  before: readonly EvaluationRow[],
  replaced: readonly EvaluationRow[],
  newId: Deps["newId"],
): TestChange {
  const made = replaced.map(({ definitionId: id, definitionType: type, expected }) =>
    pendingEvaluation(test, { id, type, expected }, newId()),
  );
  const evaluations = [...before.filter((row) => !replaced.includes(row)), ...made];
  const gone = replaced.map((row, index) => ({ ...row, replacedBy: made[index]?.id ?? null }));
  const none = { scoreMicro: null, scoreExact: null, passed: null, message: null, waitingFor: null };
  const open = { status: "IN_PROGRESS", ...none } as const;
  return {
    test: { ...test, ...derivedFromEvaluations(evaluations), ...open },
    evaluations,
    changed: [...gone, ...made],
  };
}
