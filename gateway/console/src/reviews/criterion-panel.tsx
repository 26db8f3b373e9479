// Shows the criterion of a review: its text, scale and examples.

import { Stack, Text } from "@mantine/core";
import { Passed } from "../ui/badges.tsx";
import { RowLink } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import type { Criterion } from "./review-requests.ts";

interface ExampleRow {
  readonly id: string;
  readonly verdict: boolean;
  readonly score: number | null;
  readonly critique: string;
}

const columns: readonly Column<ExampleRow>[] = [
  {
    id: "trace",
    label: "Trace",
    isFixed: true,
    width: 120,
    cell: ({ id }) => (
      <RowLink to="/traces/$traceId" params={{ traceId: id }}>
        {id.slice(0, 8)}
      </RowLink>
    ),
  },
  { id: "verdict", label: "Result", width: 120, cell: ({ verdict }) => <Passed value={verdict} /> },
  { id: "score", label: "Score", isNumber: true, cell: ({ score }) => score ?? "" },
  { id: "critique", label: "Reason", width: 360, cell: ({ critique }) => critique },
];

export function CriterionPanel({ criterion }: { readonly criterion: Criterion }) {
  const { name, criterion: text, scale, examples } = criterion;
  return (
    <Section title={name} description="Judge only this, not the whole answer">
      <Stack gap="xs">
        <Text size="sm">{text}</Text>
        {scale !== null && (
          <Text size="sm" c="dimmed">
            {`Score from ${scale.low} to ${scale.high}; ${scale.threshold} or more passes`}
          </Text>
        )}
        {examples.length > 0 && (
          <DataTable
            label="Examples"
            columns={columns}
            rows={examples.map(({ traceId, verdict, score, critique }) => ({
              id: traceId,
              verdict,
              score: score ?? null,
              critique,
            }))}
            skeletonRows={2}
          />
        )}
      </Stack>
    </Section>
  );
}
