import { useNavigate } from "@tanstack/react-router";
import { type FunctionComponent, useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
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
  description: "First set-ups of an application, whose documents and topics people review",
  url: quickstartUrl,
  list: listQuickstarts,
  columns,
  action: { operation: "POST /v0/quickstarts", label: "New quickstart", Form: QuickstartForm },
  empty: {
    title: "No quickstarts yet",
    text: "A quickstart holds what is to be reviewed: contradictions between documents, and topics that are assigned.",
    request: createQuickstart({ title: "Retail" }),
  },
});
export default QuickstartListPage;

function QuickstartForm({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [title, setTitle] = useState("");
  const [description, setDescription] = useState("");
  const { mutate, isPending, error } = useChange(createQuickstart, {
    refreshes: refreshedByQuickstarts,
    onDone: ({ data }) => void navigate({ to: "/quickstarts/$quickstartId", params: { quickstartId: data.id } }),
  });
  const issues = issuesByField(error);
  return (
    <FormModal
      title="New quickstart"
      submitLabel="Create"
      isOpen
      onClose={onClose}
      onSubmit={() => mutate({ title, description })}
      isSaving={isPending}
      error={error}
    >
      <TextField label="Title" required data-autofocus value={title} error={issues.title} onChange={setTitle} />
      <LongTextField label="Description" value={description} error={issues.description} onChange={setDescription} />
    </FormModal>
  );
}
