import type { FunctionComponent } from "react";
import { Status } from "../ui/badges.tsx";
import { missing } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { timeColumn } from "../ui/table/usual-columns.tsx";
import { ConnectionForm } from "./connection-form.tsx";
import { connectionUrl, createConnection, listConnections, type ModelConnection } from "./settings-requests.ts";

export const getStatus = ({ pausedAt }: ModelConnection) => (pausedAt === null ? "ACTIVE" : "PAUSED");
export const priceText = ({ prices }: ModelConnection) =>
  prices === null ? "Default" : `$${prices.inputPerMillion} in, $${prices.outputPerMillion} out`;

const columns: readonly Column<ModelConnection>[] = [
  {
    id: "name",
    label: "Name",
    isFixed: true,
    width: 180,
    cell: ({ id, name }) => (
      <RowLink to="/settings/models/$connectionId" params={{ connectionId: id }}>
        {name}
      </RowLink>
    ),
  },
  { id: "status", label: "Status", cell: (connection) => <Status value={getStatus(connection)} /> },
  { id: "model", label: "Model", cell: ({ model }) => model },
  { id: "provider", label: "Provider", cell: ({ provider }) => provider },
  { id: "default", label: "Default judge", cell: (connection) => (connection.default ? "Yes" : missing) },
  { id: "prices", label: "Price per million tokens", cell: priceText },
  timeColumn("createdAt", "Created", { isOptional: true }),
];

const ConnectionListPage: FunctionComponent = listPage({
  title: "Models",
  description: "Connections to judge models",
  url: connectionUrl,
  list: listConnections,
  columns,
  action: { operation: "POST /v0/model-connections", label: "New connection", Form: ConnectionForm },
  empty: {
    title: "No connections yet",
    text: "Evaluators that use a model wait for a connection. OUTPUT_MATCH does not need one.",
    request: createConnection({ name: "GPT", provider: "openai", model: "MODEL", apiKey: "PROVIDER_KEY" }),
  },
});
export default ConnectionListPage;
