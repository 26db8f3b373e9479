import { AnchorLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";

/** Column with the topic's name as a link. */
export const topicColumn: Column<{ readonly id: string; readonly name: string }> = {
  id: "name",
  label: "Topic",
  isFixed: true,
  width: 160,
  cell: ({ id, name }) => (
    <AnchorLink to="/topics/$topicId" params={{ topicId: id }} inherit fw={500}>
      {name}
    </AnchorLink>
  ),
};
