import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { listEvaluations } from "../tests/test-requests.ts";
import { Passed } from "../ui/badges.tsx";
import { Section } from "../ui/section.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { type Judgment, listJudgments } from "./judged-rows.ts";
import { listAnnotations, type QueueItem } from "./review-requests.ts";

const who: Column<Judgment> = {
  id: "who",
  label: "Reviewer or judge",
  isFixed: true,
  width: 200,
  cell: (row) => row.who,
};
const evaluator: Column<Judgment> = {
  id: "evaluator",
  label: "Evaluator",
  width: 200,
  cell: (row) => row.evaluator,
};
const results: readonly Column<Judgment>[] = [
  { id: "passed", label: "Result", width: 120, cell: ({ passed }) => <Passed value={passed} /> },
  { id: "score", label: "Score", isNumber: true, cell: ({ score }) => score ?? "" },
  { id: "why", label: "Reason", width: 360, cell: ({ why }) => why },
];
const columns = [who, ...results];
const columnsOfSeveral = [who, evaluator, ...results];

/** Shows how reviewers and judges have judged a trace, by what the queue is for and by others of the same pass. */
export function Judged({ item }: { readonly item: QueueItem }) {
  const annotations = useQuery(read(listAnnotations(item.traceId))).data?.data;
  const evaluations = useQuery(read(listEvaluations(item.traceId))).data?.data;
  const judged =
    annotations === undefined || evaluations === undefined ? undefined : listJudgments(item, annotations, evaluations);
  return (
    <Section title="People and judges">
      <DataTable
        label="People and judges"
        columns={judged?.hasSeveral === true ? columnsOfSeveral : columns}
        rows={judged?.rows}
        skeletonRows={3}
      />
      {judged !== undefined && judged.compared > 0 && (
        <Text size="sm" mt="xs">{`${judged.agreed} of ${judged.compared} judges agree.`}</Text>
      )}
    </Section>
  );
}
