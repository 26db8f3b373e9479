import type { Transaction } from "@ems/kit/db/transaction";
import type { PublishAll } from "@ems/kit/events/publish";
import { makeStorable } from "@ems/kit/readers";
import { hasEnded } from "../outcomes/index.ts";
import type { TestRow } from "../tests/index.ts";
import type { Owner } from "./entity.ts";
import type { LockedTests } from "./lock-tests.ts";
import { writeChanges } from "./write-changes.ts";

/** Fails locked tests that have not been judged, each with its own reason. */
export async function failTests(
  deps: { readonly publishAll: PublishAll },
  tx: Transaction,
  tenant: Owner,
  now: Date,
  locked: LockedTests,
  reasons: ReadonlyMap<string, string>,
): Promise<void> {
  const changes = [...reasons].flatMap(([id, message]) => {
    const test = locked.tests.get(id);
    if (test === undefined || hasEnded(test)) return [];
    const failed: TestRow = { ...test, status: "FAILED", message: makeStorable(message), waitingFor: null };
    return [{ test: failed, evaluations: locked.evaluations.get(id) ?? [], changed: [] }];
  });
  await writeChanges(deps, tx, tenant, now, locked, changes);
}
