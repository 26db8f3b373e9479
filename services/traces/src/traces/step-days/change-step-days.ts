import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import { addUpSteps, type StepChange } from "./add-up.ts";

const insertChange = "INSERT INTO traces.step_change (application_id, org_id, changes) VALUES ($1, $2, $3)";

/**
 * Adds the changes of steps to the sums by day, in the transaction of the changes. Adding a row never waits for other
 * requests; reports add these rows until they are folded into the sums.
 */
export function changeStepDays(
  tx: Transaction,
  { applicationId, orgId }: Pick<Tenant, "applicationId" | "orgId">,
  changes: readonly StepChange[],
): void {
  const sums = addUpSteps(changes);
  if (sums === undefined) return;
  tx.defer({ name: "change-step-days", text: insertChange, values: [applicationId, orgId, sums] });
}
