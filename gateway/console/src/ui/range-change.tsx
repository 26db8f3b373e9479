// Changes the stored traces of a time range: first a count, then the change, request by request.

import { Group, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useChange } from "../api/query.ts";
import type { ApiRequest } from "../api/request.ts";
import type { Operation } from "../session/permissions.ts";
import { ActionButton } from "./action.tsx";
import { FormError } from "./form-error.tsx";
import { Section } from "./section.tsx";

interface RangeBody {
  readonly startDate: string;
  readonly endDate: string;
  readonly dryRun: boolean;
  readonly cursor?: string;
}

interface RangeChangeProps<Counts> {
  readonly title: string;
  readonly description: string;
  /** Label of the button that makes the change. */
  readonly label: string;
  readonly operation: Operation;
  readonly request: (body: RangeBody) => ApiRequest<{ readonly data: Counts }>;
  readonly refreshes: readonly string[];
  /** Adds the counts of one request to the sum. */
  readonly plus: (sum: Counts | undefined, part: Counts) => Counts;
  /** Describes the sum; the verb is "Would change" after a count. */
  readonly children: (sum: Counts, verb: "Changed" | "Would change") => ReactNode;
}

const dayMs = 86_400_000;
const day = (ms: number) => new Date(ms).toISOString().slice(0, "2026-01-01".length);

export function RangeChange<Counts extends { readonly cursor: string | null }>(props: RangeChangeProps<Counts>) {
  const { title, description, label, operation, request, refreshes, plus, children } = props;
  const [from, setFrom] = useState(() => day(Date.now() - 30 * dayMs));
  const [until, setUntil] = useState(() => day(Date.now()));
  const [done, setDone] = useState<{ readonly sum: Counts; readonly isDry: boolean }>();
  const [isDry, setIsDry] = useState(true);
  const range = { startDate: `${from}T00:00:00.000Z`, endDate: `${until}T23:59:59.999Z` };
  const step = useChange(request, { refreshes });
  const run = async (dryRun: boolean) => {
    setIsDry(dryRun);
    let total: Counts | undefined;
    for (let cursor: string | undefined; ; ) {
      const { data } = await step.mutateAsync({ ...range, dryRun, ...(cursor !== undefined && { cursor }) });
      total = plus(total, data);
      setDone({ sum: total, isDry: dryRun });
      if (data.cursor == null) return;
      cursor = data.cursor;
    }
  };
  // Errors appear below: a failed request leaves the counts of those before it.
  const start = (dryRun: boolean) => void run(dryRun).catch(() => undefined);
  return (
    <Section title={title} description={description}>
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
          <ActionButton
            operation={operation}
            variant="default"
            loading={step.isPending && isDry}
            onClick={() => start(true)}
          >
            Count
          </ActionButton>
          <ActionButton
            operation={operation}
            disabled={done === undefined}
            loading={step.isPending && !isDry}
            onClick={() => start(false)}
          >
            {label}
          </ActionButton>
        </Group>
        <FormError error={step.error} />
        {done !== undefined && (
          <Text size="sm" role="status">
            {children(done.sum, done.isDry ? "Would change" : "Changed")}
          </Text>
        )}
      </Stack>
    </Section>
  );
}
