// The command palette: pages, and topics and tasks by name. It is loaded when it is first opened.

import "@mantine/spotlight/styles.css";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, type SpotlightActionData, spotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { readList } from "../api/query.ts";
import { get } from "../api/request.ts";
import { pages } from "./pages.ts";

const namesMax = 5;
const shortest = 2;

interface Named {
  readonly id: string;
  readonly title: string;
}

export default function Palette({ opening }: { readonly opening: number }) {
  const [query, setQuery] = useState("");
  const [search] = useDebouncedValue(query.trim(), 200);
  const navigate = useNavigate();
  const enabled = search.length >= shortest;
  const topics = useQuery({
    ...readList(get("/v0/topics", { params: { query: { title: search, limit: namesMax } } })),
    enabled,
  });
  const tasks = useQuery({
    ...readList(get("/v0/tasks", { params: { query: { search, limit: namesMax } } })),
    enabled,
  });
  // Each number is an opening.
  useEffect(() => spotlight.open(), [opening]);

  const matches = ({ label }: { label: string }) => label.toLowerCase().includes(query.trim().toLowerCase());
  const named = (group: string, rows: readonly Named[] | undefined, open: (id: string) => void) => ({
    group,
    actions: (enabled ? (rows ?? []) : []).map(
      ({ id, title }): SpotlightActionData => ({ id, label: title, onClick: () => open(id) }),
    ),
  });
  return (
    <Spotlight
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      // The server has found what matches.
      filter={(_, actions) => actions}
      nothingFound="Nothing found"
      limit={20}
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <Search size={16} />,
        placeholder: "Go to a page, a topic or a task",
        "aria-label": "Go to",
        onKeyDown: openFirst,
      }}
      actions={[
        {
          group: "Pages",
          actions: pages.filter(matches).map(({ to, label, icon: Icon }) => ({
            id: to,
            label,
            leftSection: <Icon size={16} />,
            onClick: () => void navigate({ to }),
          })),
        },
        named("Topics", topics.data?.data, (topicId) => void navigate({ to: "/topics/$topicId", params: { topicId } })),
        named("Tasks", tasks.data?.data, (taskId) => void navigate({ to: "/tasks/$taskId", params: { taskId } })),
      ].filter(({ actions }) => actions.length > 0)}
    />
  );
}

/** Enter opens the first of what has been found; Spotlight itself has selected nothing of what came after the typing. */
function openFirst(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Enter") return;
  const dialog = event.currentTarget.closest("[role=dialog]");
  if (dialog?.querySelector("[data-selected]") === null) dialog.querySelector<HTMLElement>("[data-action]")?.click();
}
