import { useDisclosure } from "@mantine/hooks";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { Time } from "../ui/time.tsx";
import { createQuickstart, listQuickstarts, type Quickstart, refreshedByQuickstarts } from "./quickstart-requests.ts";

const route = getRouteApi("/signed-in/quickstarts");

const columns: readonly Column<Quickstart>[] = [
  {
    id: "title",
    label: "Title",
    isFixed: true,
    width: 240,
    orderBy: "title",
    cell: ({ id, title }) => (
      <AnchorLink to="/quickstarts/$quickstartId" params={{ quickstartId: id }} inherit fw={500}>
        {title}
      </AnchorLink>
    ),
  },
  { id: "description", label: "Description", width: 280, cell: ({ description }) => description },
  { id: "createdAt", label: "Created", orderBy: "createdAt", cell: ({ createdAt }) => <Time value={createdAt} /> },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
];

export default function QuickstartListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useDisclosure();
  const request = listQuickstarts(search);
  const newQuickstart = (
    <ActionButton operation="POST /v0/quickstarts" leftSection={<Plus size={14} />} onClick={create.open}>
      New quickstart
    </ActionButton>
  );
  return (
    <Page
      title="Quickstarts"
      description="First set-ups of an application, whose documents and topics people review"
      requests={[request]}
      actions={newQuickstart}
    >
      <ListView
        label="Quickstarts"
        request={request}
        columns={columns}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...(change as object) }) })}
        empty={
          <EmptyState title="No quickstarts yet" action={newQuickstart} request={createQuickstart({ title: "Retail" })}>
            A quickstart holds what is to be reviewed: contradictions between documents, and topics that are assigned.
          </EmptyState>
        }
      />
      {isCreating && <QuickstartForm onClose={create.close} />}
    </Page>
  );
}

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
