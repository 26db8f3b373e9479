import { type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type QuickstartRow = Row<typeof QuickstartEntity>;

export const QuickstartEntity = table(
  "experiments.quickstart",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    title: text,
    description: text,
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  { indices: [{ name: "quickstart_created", columns: ["applicationId", "createdAt", "id"] }] },
);
