import { Reliable } from "../ui/badges.tsx";
import { count, missing } from "../ui/format.ts";
import { AnchorLink, RowLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import type { Definition } from "./definition-requests.ts";
import { aboutType } from "./definition-types.ts";

export const definitionColumns: readonly Column<Definition>[] = [
  {
    id: "name",
    label: "Name",
    orderBy: "name",
    isFixed: true,
    width: 240,
    cell: ({ id, name }) => (
      <RowLink to="/definitions/$definitionId" params={{ definitionId: id }}>
        {name}
      </RowLink>
    ),
  },
  { id: "type", label: "Type", orderBy: "type", cell: ({ type }) => aboutType[type].label },
  {
    id: "scope",
    label: "Applies to",
    cell: ({ application, topics }) =>
      application !== null ? "All tasks" : topics.length > 0 ? "Topics" : "Linked tasks",
  },
  { id: "topics", label: "Topics", isNumber: true, cell: ({ topics }) => count(topics.length) },
  {
    id: "reliable",
    label: "Judge",
    cell: ({ calibration }) => (calibration?.reliable == null ? missing : <Reliable value={calibration.reliable} />),
  },
  {
    id: "styleGuide",
    label: "Style guide",
    isOptional: true,
    cell: ({ styleGuideId }) =>
      styleGuideId === null ? (
        missing
      ) : (
        <AnchorLink to="/style-guides/$styleGuideId" params={{ styleGuideId }} inherit>
          Open
        </AnchorLink>
      ),
  },
  timeColumn("modifiedAt", "Changed"),
  timeColumn("createdAt", "Created", { isOptional: true }),
  idColumn,
];
