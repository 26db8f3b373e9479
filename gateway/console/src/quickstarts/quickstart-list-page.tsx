import { useNavigate } from "@tanstack/react-router";
import type { FunctionComponent } from "react";
import { useNew } from "../edits/use-new.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { RowLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import {
  createQuickstart,
  listQuickstarts,
  type Quickstart,
  quickstartUrl,
  refreshedByQuickstarts,
} from "./quickstart-requests.ts";

const columns: readonly Column<Quickstart>[] = [
  {
    id: "title",
    label: "Title",
    isFixed: true,
    width: 240,
    orderBy: "title",
    cell: ({ id, title }) => (
      <RowLink to="/quickstarts/$quickstartId" params={{ quickstartId: id }}>
        {title}
      </RowLink>
    ),
  },
  { id: "description", label: "Description", width: 280, cell: ({ description }) => description },
  timeColumn("createdAt", "Created"),
  idColumn,
];

const QuickstartListPage: FunctionComponent = listPage({
  title: "Quickstarts",
  description: "Initial setup: documents and topics to review",
  url: quickstartUrl,
  list: listQuickstarts,
  columns,
  action: { operation: "POST /v0/quickstarts", label: "New quickstart", Form: QuickstartForm },
  empty: {
    title: "No quickstarts yet",
    text: "A quickstart collects review work: contradictions between documents, and assigned topics.",
    request: createQuickstart({ title: "Retail" }),
  },
});
export default QuickstartListPage;

function QuickstartForm({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const form = useNew({
    newDraft: () => ({ title: "", description: "" }),
    create: createQuickstart,
    refreshes: refreshedByQuickstarts,
    onCreated: ({ data }) => void navigate({ to: "/quickstarts/$quickstartId", params: { quickstartId: data.id } }),
  });
  return (
    <FormModal title="New quickstart" {...form.modal} onClose={onClose}>
      <TextField label="Title" required data-autofocus {...form.input("title")} />
      <LongTextField label="Description" {...form.input("description")} />
    </FormModal>
  );
}
