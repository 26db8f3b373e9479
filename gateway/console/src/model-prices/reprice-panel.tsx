// Applies the saved prices to stored steps.

import { count, dollars } from "../ui/format.ts";
import { RangeChange } from "../ui/range-change.tsx";
import { type RepricedTraces, repriceTraces } from "./price-requests.ts";

const plus = (sum: RepricedTraces | undefined, part: RepricedTraces): RepricedTraces => ({
  ...part,
  traces: (sum?.traces ?? 0) + part.traces,
  changedTraces: (sum?.changedTraces ?? 0) + part.changedTraces,
  changedSteps: (sum?.changedSteps ?? 0) + part.changedSteps,
  unpricedSteps: (sum?.unpricedSteps ?? 0) + part.unpricedSteps,
  costBefore: (sum?.costBefore ?? 0) + part.costBefore,
  costAfter: (sum?.costAfter ?? 0) + part.costAfter,
});

export function RepricePanel() {
  return (
    <RangeChange
      title="Reprice stored traces"
      description="Uses the saved prices. Costs that applications sent do not change"
      label="Reprice"
      operation="POST /v0/model-prices/reprice"
      request={repriceTraces}
      refreshes={["/v0/traces"]}
      plus={plus}
    >
      {(sum, verb) => (
        <>
          {verb} {count(sum.changedTraces)} of {count(sum.traces)} traces: {dollars(sum.costBefore)} before,{" "}
          {dollars(sum.costAfter)} after. {count(sum.unpricedSteps)} steps have no price.
          {sum.archivedTraces > 0 && ` ${count(sum.archivedTraces)} archived traces do not change.`}
        </>
      )}
    </RangeChange>
  );
}
