import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { evaluationsOf } from "../tests/test-requests.ts";
import { Passed } from "../ui/badges.tsx";
import { Section } from "../ui/section.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { annotationsOf } from "./review-requests.ts";

interface Judgement {
  readonly id: string;
  readonly who: string;
  readonly passed: boolean | null;
  readonly why: string | null;
}

const columns: readonly Column<Judgement>[] = [
  { id: "who", label: "Who", isFixed: true, width: 200, cell: ({ who }) => who },
  { id: "passed", label: "Judgement", width: 120, cell: ({ passed }) => <Passed value={passed} /> },
  { id: "why", label: "Why", width: 360, cell: ({ why }) => why },
];

/** What people and judges found of a trace, beside each other. */
export function Judged({ traceId }: { readonly traceId: string }) {
  const annotations = useQuery(read(annotationsOf(traceId)));
  const evaluations = useQuery(read(evaluationsOf(traceId)));
  const people = annotations.data?.data.map(
    ({ id, annotatorId, annotator, verdict, critique }): Judgement => ({
      id,
      who: annotator?.name ?? annotatorId,
      passed: verdict,
      why: critique,
    }),
  );
  const judges = evaluations.data?.data.map(
    ({ id, definition, passed, message }): Judgement => ({
      id,
      who: definition?.name ?? "A definition that is gone",
      passed: passed ?? null,
      why: message ?? null,
    }),
  );
  const agreed = judges?.filter(({ passed }) => passed === people?.[0]?.passed).length;
  return (
    <Section title="People and judges" description="What was found of this trace">
      <DataTable
        label="People and judges"
        columns={columns}
        rows={people && judges && [...people, ...judges]}
        skeletonRows={3}
      />
      {judges !== undefined && people !== undefined && judges.length > 0 && (
        <Text size="sm" mt="xs">{`${agreed} of ${judges.length} judges agree.`}</Text>
      )}
    </Section>
  );
}
