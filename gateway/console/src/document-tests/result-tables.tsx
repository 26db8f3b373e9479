// Tables with the findings of a document test, one per kind of finding.

import { Stack, Text } from "@mantine/core";
import type { LinkProps } from "@tanstack/react-router";
import { missing, percent } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import type { Named, Results } from "./document-test-requests.ts";

type Row<Of extends keyof Results> = NonNullable<Results[Of]> extends readonly (infer Each)[] ? Each : never;

export function ResultTables({ results }: { readonly results: Results }) {
  return (
    <Stack gap="lg">
      <Found title="Tasks" rows={results.results} columns={coverage} getId={({ task }) => task.id} />
      <Found title="Pairs of documents" rows={results.pairs} columns={pairs} getId={idOfPair} />
      <Found title="Documents" rows={results.documents} columns={documents} getId={({ document }) => document.id} />
      <NamedList title="Unmapped documents" to="documents" of={results.unmappedDocuments} />
      <NamedList title="Documents without tasks" to="documents" of={results.documentsWithoutTasks} />
      <NamedList title="Tasks without documents" to="tasks" of={results.tasksWithoutDocuments} />
      <Found
        title="Unanswered questions"
        rows={results.unanswered}
        columns={unanswered}
        getId={({ subject }) => subject.id}
      />
    </Stack>
  );
}

interface FoundProps<Each> {
  readonly title: string;
  /** Rows of the table. Undefined if tests of this type have no such results. */
  readonly rows: readonly Each[] | undefined;
  readonly columns: readonly Column<Each & { readonly id: string }>[];
  readonly getId: (row: Each) => string;
}

function Found<Each extends object>({ title, rows, columns, getId }: FoundProps<Each>) {
  if (rows === undefined || rows.length === 0) return null;
  return (
    <Section title={title}>
      <DataTable label={title} columns={columns} rows={rows.map((row) => ({ ...row, id: getId(row) }))} />
    </Section>
  );
}

interface NamedListProps {
  readonly title: string;
  readonly to: keyof typeof linkBuilders;
  readonly of: readonly Named[] | undefined;
}

function NamedList({ title, to, of }: NamedListProps) {
  if (of === undefined) return null;
  return (
    <Section title={title}>
      <Text size="sm">{of.length === 0 ? "None." : <Names to={to} of={of} />}</Text>
    </Section>
  );
}

const linkBuilders = {
  documents: (documentId: string): LinkProps => ({ to: "/documents/$documentId", params: { documentId } }),
  tasks: (taskId: string): LinkProps => ({ to: "/tasks/$taskId", params: { taskId } }),
} as const;

function Names({ to, of }: { readonly to: keyof typeof linkBuilders; readonly of: readonly Named[] }) {
  if (of.length === 0) return missing;
  return of.map(({ id, title }, index) => (
    <span key={id}>
      {index > 0 && ", "}
      <AnchorLink {...linkBuilders[to](id)} inherit>
        {title}
      </AnchorLink>
    </span>
  ));
}

const reasoning = {
  id: "reasoning",
  label: "Reason",
  width: 320,
  cell: ({ reasoning: text }: { reasoning: string }) => text,
};

const coverage: readonly Column<Row<"results"> & { id: string }>[] = [
  { id: "task", label: "Task", isFixed: true, width: 220, cell: ({ task }) => <Names to="tasks" of={[task]} /> },
  { id: "coverage", label: "Coverage", isNumber: true, cell: (row) => percent(row.coverage, 0) },
  { id: "by", label: "Covered by", width: 220, cell: (row) => <Names to="documents" of={row.matchedDocuments} /> },
  reasoning,
];

const idOfPair = ({ documentA, documentB }: Row<"pairs">) => `${documentA.id} ${documentB.id}`;

const pairs: readonly Column<Row<"pairs"> & { id: string }>[] = [
  {
    id: "pair",
    label: "Documents",
    isFixed: true,
    width: 260,
    cell: ({ documentA, documentB }) => <Names to="documents" of={[documentA, documentB]} />,
  },
  { id: "overlap", label: "Overlap", isNumber: true, cell: ({ overlap }) => percent(overlap, 0) },
  {
    id: "contradictions",
    label: "Contradictions",
    width: 260,
    cell: ({ contradictions }) =>
      contradictions.length === 0
        ? missing
        : contradictions.map(({ id, quickstartId, reason }) => (
            <div key={id}>
              <AnchorLink to="/quickstarts/$quickstartId/contradictions" params={{ quickstartId }} inherit>
                {reason}
              </AnchorLink>
            </div>
          )),
  },
  reasoning,
];

const documents: readonly Column<Row<"documents"> & { id: string }>[] = [
  {
    id: "document",
    label: "Document",
    isFixed: true,
    width: 220,
    cell: ({ document }) => <Names to="documents" of={[document]} />,
  },
  { id: "tasks", label: "Tasks", width: 260, cell: ({ tasks }) => <Names to="tasks" of={tasks} /> },
  reasoning,
];

const unanswered: readonly Column<Row<"unanswered"> & { id: string }>[] = [
  { id: "subject", label: "About", isFixed: true, width: 240, cell: ({ subject }) => subject.title },
  { id: "message", label: "Message", width: 360, cell: ({ message }) => message },
];
