import { useDisclosure } from "@mantine/hooks";
import { Pencil } from "lucide-react";
import type { FunctionComponent } from "react";
import { Editing } from "../edits/editing.tsx";
import { useTopics } from "../topics/topic-names.ts";
import { ActionIconButton } from "../ui/action.tsx";
import { choices } from "../ui/filters/choice-filter.tsx";
import { missing } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, statusColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { FactForm } from "./fact-form.tsx";
import { createFact, type Fact, factUrl, getFact, listFacts, scopes, statuses } from "./fact-requests.ts";

const columns: readonly Column<Fact>[] = [
  {
    id: "statement",
    label: "Statement",
    isFixed: true,
    width: 380,
    orderBy: "statement",
    cell: ({ statement }) => statement,
  },
  {
    id: "topics",
    label: "Scope",
    width: 180,
    cell: ({ scope, topics }) =>
      scope === "APPLICATION" ? "Whole application" : topics.map(({ title }) => title).join(", ") || missing,
  },
  statusColumn({ orderBy: "status", width: 90 }),
  {
    id: "source",
    label: "Source",
    width: 160,
    cell: ({ sourceQuote, sourceDocumentId: documentId }) =>
      documentId === null ? (
        (sourceQuote ?? missing)
      ) : (
        <AnchorLink to="/documents/$documentId" params={{ documentId }} inherit>
          {sourceQuote ?? "Document"}
        </AnchorLink>
      ),
  },
  { id: "isVerified", label: "Verified", width: 80, cell: ({ isVerified }) => (isVerified ? "Yes" : "No") },
  timeColumn("modifiedAt", "Changed", { isOptional: true }),
  idColumn,
  { id: "edit", label: "Edit", width: 60, cell: (fact) => <Edit fact={fact} /> },
];

const FactListPage: FunctionComponent = listPage({
  title: "Facts",
  description: "Ground truth for FACT evaluators",
  url: factUrl,
  list: listFacts,
  columns,
  filters: [
    { some: "topicId", label: "Topic", options: useTopics },
    { some: "scope", label: "Scope", options: choices(scopes) },
    { some: "status", label: "Status", options: choices(statuses) },
  ],
  action: { operation: "POST /v0/facts", label: "New fact", Form: FactForm },
  empty: {
    title: "No facts yet",
    text: "Facts are short statements that every correct answer agrees with. They apply to topics or to the whole application.",
    request: createFact({ statement: "A transfer in euros costs nothing.", scope: "APPLICATION" }),
  },
});
export default FactListPage;

function Edit({ fact }: { readonly fact: Fact }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <ActionIconButton
        operation="PUT /v0/facts/{id}"
        variant="subtle"
        color="gray"
        aria-label={`Edit ${fact.statement}`}
        onClick={open}
      >
        <Pencil size={14} />
      </ActionIconButton>
      {isOpen && (
        <Editing request={getFact(fact.id)} title="Edit fact" onClose={close}>
          {(loaded) => <FactForm fact={loaded} onClose={close} />}
        </Editing>
      )}
    </>
  );
}
