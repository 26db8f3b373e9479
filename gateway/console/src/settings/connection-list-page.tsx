import { useDisclosure } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { missing } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { Time } from "../ui/time.tsx";
import { ConnectionForm } from "./connection-form.tsx";
import { createConnection, listConnections, type ModelConnection } from "./settings-requests.ts";

const route = getRouteApi("/signed-in/settings/models");

export const statusOf = ({ pausedAt }: ModelConnection) => (pausedAt === null ? "ACTIVE" : "PAUSED");
export const priceText = ({ prices }: ModelConnection) =>
  prices === null ? "Price table" : `$${prices.inputPerMillion} in, $${prices.outputPerMillion} out`;

const columns: readonly Column<ModelConnection>[] = [
  {
    id: "name",
    label: "Name",
    isFixed: true,
    width: 180,
    cell: ({ id, name }) => (
      <AnchorLink to="/settings/models/$connectionId" params={{ connectionId: id }} inherit fw={500}>
        {name}
      </AnchorLink>
    ),
  },
  { id: "status", label: "Status", cell: (connection) => <Status value={statusOf(connection)} /> },
  { id: "model", label: "Model", cell: ({ model }) => model },
  { id: "provider", label: "Provider", cell: ({ provider }) => provider },
  { id: "default", label: "Judges", cell: (connection) => (connection.default ? "By default" : missing) },
  { id: "prices", label: "Price of a million tokens", cell: priceText },
  {
    id: "createdAt",
    label: "Created",
    isOptional: true,
    orderBy: "createdAt",
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
];

export default function ConnectionListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useDisclosure();
  const request = listConnections(search);
  const newConnection = (
    <ActionButton operation="POST /v0/model-connections" leftSection={<Plus size={14} />} onClick={create.open}>
      New connection
    </ActionButton>
  );
  const example = { name: "GPT", provider: "openai", model: "MODEL", apiKey: "PROVIDER_KEY" } as const;
  return (
    <Page
      title="Models"
      description="Connections to the models that judge answers"
      requests={[request]}
      actions={newConnection}
    >
      <ListView
        label="Models"
        request={request}
        columns={columns}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...(change as object) }) })}
        empty={
          <EmptyState title="No model yet" action={newConnection} request={createConnection(example)}>
            Definitions that a model judges wait for a connection. OUTPUT_MATCH needs none.
          </EmptyState>
        }
      />
      {isCreating && <ConnectionForm onClose={create.close} />}
    </Page>
  );
}
