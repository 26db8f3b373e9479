import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { listEvaluations } from "../tests/test-requests.ts";
import { Passed } from "../ui/badges.tsx";
import { Section } from "../ui/section.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { listAnnotations } from "./review-requests.ts";

interface Judgment {
  readonly id: string;
  readonly who: string;
  readonly passed: boolean | null;
  readonly why: string | null;
}

const columns: readonly Column<Judgment>[] = [
  { id: "who", label: "Reviewer or judge", isFixed: true, width: 200, cell: ({ who }) => who },
  { id: "passed", label: "Result", width: 120, cell: ({ passed }) => <Passed value={passed} /> },
  { id: "why", label: "Reason", width: 360, cell: ({ why }) => why },
];

interface JudgedProps {
  readonly traceId: string;
  /** Definition that was reviewed; null for the whole answer. */
  readonly definitionId: string | null;
}

/** Shows how reviewers and judges have judged a trace, by one definition or as a whole. */
export function Judged({ traceId, definitionId }: JudgedProps) {
  const annotations = useQuery(read(listAnnotations(traceId)));
  const evaluations = useQuery(read(listEvaluations(traceId)));
  const people = annotations.data?.data
    .filter((annotation) => annotation.definitionId === definitionId)
    .map(
      ({ id, annotatorId, annotator, verdict, critique }): Judgment => ({
        id,
        who: annotator?.name ?? annotatorId,
        passed: verdict,
        why: critique,
      }),
    );
  const judges = evaluations.data?.data
    .filter(({ definition }) => definitionId === null || definition?.id === definitionId)
    .map(
      ({ id, definition, passed, message }): Judgment => ({
        id,
        who: definition?.name ?? "Deleted evaluator",
        passed: passed ?? null,
        why: message ?? null,
      }),
    );
  // A verdict on a whole answer is compared with no single judge.
  const agreed = judges?.filter(({ passed }) => passed === people?.[0]?.passed).length;
  return (
    <Section title="People and judges">
      <DataTable
        label="People and judges"
        columns={columns}
        rows={people && judges && [...people, ...judges]}
        skeletonRows={3}
      />
      {definitionId !== null && judges !== undefined && people !== undefined && judges.length > 0 && (
        <Text size="sm" mt="xs">{`${agreed} of ${judges.length} judges agree.`}</Text>
      )}
    </Section>
  );
}
