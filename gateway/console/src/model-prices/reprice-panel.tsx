// Applies the saved prices to stored steps: first a count, then the change, request by request.

import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { FormError } from "../ui/form-error.tsx";
import { count, dollars } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { type RepricedTraces, repriceTraces } from "./price-requests.ts";

interface Sum extends Pick<RepricedTraces, "traces" | "changedTraces" | "changedSteps" | "unpricedSteps"> {
  readonly costBefore: number;
  readonly costAfter: number;
  readonly archivedTraces: number;
}

const none: Sum = {
  traces: 0,
  changedTraces: 0,
  changedSteps: 0,
  unpricedSteps: 0,
  costBefore: 0,
  costAfter: 0,
  archivedTraces: 0,
};

const plus = (sum: Sum, part: RepricedTraces): Sum => ({
  traces: sum.traces + part.traces,
  changedTraces: sum.changedTraces + part.changedTraces,
  changedSteps: sum.changedSteps + part.changedSteps,
  unpricedSteps: sum.unpricedSteps + part.unpricedSteps,
  costBefore: sum.costBefore + part.costBefore,
  costAfter: sum.costAfter + part.costAfter,
  archivedTraces: part.archivedTraces,
});

const dayMs = 86_400_000;
const day = (ms: number) => new Date(ms).toISOString().slice(0, "2026-01-01".length);

export function RepricePanel() {
  const [from, setFrom] = useState(() => day(Date.now() - 30 * dayMs));
  const [until, setUntil] = useState(() => day(Date.now()));
  const [sum, setSum] = useState<Sum>();
  const [isDry, setIsDry] = useState(true);
  const range = { startDate: `${from}T00:00:00.000Z`, endDate: `${until}T23:59:59.999Z` };
  const step = useChange(repriceTraces, { refreshes: ["/v0/traces"] });
  const run = async (dryRun: boolean) => {
    setIsDry(dryRun);
    let total = none;
    for (let cursor: string | undefined; ; ) {
      const { data } = await step.mutateAsync({ ...range, dryRun, ...(cursor !== undefined && { cursor }) });
      total = plus(total, data);
      setSum(total);
      if (data.cursor == null) return;
      cursor = data.cursor;
    }
  };
  // Errors appear below: a failed request leaves the counts of those before it.
  const start = (dryRun: boolean) => void run(dryRun).catch(() => undefined);
  return (
    <Section
      title="Reprice stored traces"
      description="Uses the saved prices. Costs that applications sent do not change"
    >
      <Stack gap="sm">
        <Group gap="xs" grow>
          <TextInput type="date" label="From" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
          <TextInput
            type="date"
            label="Until"
            value={until}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
        </Group>
        <Group gap="xs">
          <Button variant="default" loading={step.isPending && isDry} onClick={() => start(true)}>
            Count
          </Button>
          <ActionButton
            operation="POST /v0/model-prices/reprice"
            disabled={sum === undefined}
            loading={step.isPending && !isDry}
            onClick={() => start(false)}
          >
            Reprice
          </ActionButton>
        </Group>
        <FormError error={step.error} />
        {sum !== undefined && (
          <Text size="sm" role="status">
            {isDry ? "Would change" : "Changed"} {count(sum.changedTraces)} of {count(sum.traces)} traces:{" "}
            {dollars(sum.costBefore)} before, {dollars(sum.costAfter)} after. {count(sum.unpricedSteps)} steps have no
            price.
            {sum.archivedTraces > 0 && ` ${count(sum.archivedTraces)} archived traces do not change.`}
          </Text>
        )}
      </Stack>
    </Section>
  );
}
