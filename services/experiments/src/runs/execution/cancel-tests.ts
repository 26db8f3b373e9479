import type { Transaction } from "@ems/kit/db/transaction";
import { makeStorable } from "@ems/kit/readers";
import type { EvaluationRow } from "@ems/results";
import type { Deps } from "../../deps.ts";
import { derivedFromEvaluations, hasEnded } from "../outcomes/index.ts";
import type { Owner } from "./entity.ts";
import { lockTests } from "./lock-tests.ts";
import { requestPrompts } from "./request-prompts.ts";
import { writeChanges } from "./write-changes.ts";

/** Cancels all of the tests that have not ended: they fail, and their open evaluations are skipped. */
export async function cancelTests(
  deps: Pick<Deps, "clock" | "publishAll">,
  tx: Transaction,
  tenant: Owner,
  testIds: readonly string[],
  message: string,
): Promise<void> {
  if (testIds.length === 0) return;
  const now = deps.clock.now();
  const locked = await lockTests(tx, tenant.applicationId, testIds);
  const changes = [...locked.tests.values()]
    .filter((test) => !hasEnded(test))
    .map((test) => {
      const before = locked.evaluations.get(test.id) ?? [];
      const evaluations = before.map((row) => (hasEnded(row) ? row : skipped(row, message)));
      const changed = evaluations.filter((row, index) => row !== before[index]);
      const ended = { status: "FAILED" as const, message: makeStorable(message), waitingFor: null };
      return { test: { ...test, ...derivedFromEvaluations(evaluations), ...ended }, evaluations, changed };
    });
  await writeChanges(deps, tx, tenant, now, locked, changes);
  await requestPrompts(deps, tx, tenant, now, locked.runs.values());
}

function skipped(row: EvaluationRow, message: string): EvaluationRow {
  return { ...row, status: "SKIPPED", message: makeStorable(message), waitingFor: null };
}
