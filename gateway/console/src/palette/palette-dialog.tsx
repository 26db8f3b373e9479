// Dialog of the command palette. It finds pages, topics and tasks by name.

import "@mantine/spotlight/styles.layer.css";
import { Spotlight, type SpotlightActionData, spotlight } from "@mantine/spotlight";
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect } from "react";
import { usePages } from "../app/pages.ts";
import type { Named } from "./still-matching.ts";
import { boxId, type Typing } from "./typing.ts";
import { useNames } from "./use-names.ts";

interface PaletteDialogProps {
  readonly opening: number;
  readonly typing: Typing;
  readonly onTyping: (typing: Typing) => void;
  /** Called when the search box has focus, so that it receives keys itself, or when the dialog has closed. */
  readonly onSteady: () => void;
}

type Action = SpotlightActionData & { readonly onClick: () => void };

export default function PaletteDialog({ opening, typing, onTyping, onSteady }: PaletteDialogProps) {
  const { text, isEntered } = typing;
  const sought = text.trim();
  const { topics, tasks, isComplete } = useNames(sought);
  const navigate = useNavigate();
  const pages = usePages();
  // Open the dialog whenever the counter changes.
  useEffect(() => spotlight.open(), [opening]);

  const matches = ({ label }: { label: string }) => label.toLowerCase().includes(sought.toLowerCase());
  const named = (group: string, rows: readonly Named[], open: (id: string) => void) => ({
    group,
    actions: rows.map(({ id, title }): Action => ({ id, label: title, onClick: () => open(id) })),
  });
  const groups = [
    {
      group: "Pages",
      actions: pages.filter(matches).map(
        ({ to, label, icon: Icon }): Action => ({
          id: to,
          label,
          leftSection: <Icon size={16} />,
          onClick: () => void navigate({ to }),
        }),
      ),
    },
    named("Topics", topics, (topicId) => void navigate({ to: "/topics/$topicId", params: { topicId } })),
    named("Tasks", tasks, (taskId) => void navigate({ to: "/tasks/$taskId", params: { taskId } })),
  ].filter(({ actions }) => actions.length > 0);
  const first = groups[0]?.actions[0];

  // After Enter, wait for all responses: partial results may miss the best match. Only pages need no request.
  const isPage = groups[0]?.group === "Pages";
  useEffect(() => {
    if (!isEntered || !(isPage || isComplete)) return;
    onTyping({ text, isEntered: false });
    if (first === undefined) return;
    spotlight.close();
    first.onClick();
  });

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    // Spotlight itself opens a selected result. It selects none if results arrive after typing, so handle Enter here.
    const isSelected = event.currentTarget.closest("[role=dialog]")?.querySelector("[data-selected]") != null;
    if (!isSelected) onTyping({ text, isEntered: sought !== "" });
  };
  return (
    <Spotlight
      query={text}
      onQueryChange={(changed) => onTyping({ text: changed, isEntered: false })}
      onSpotlightClose={onSteady}
      shortcut={null}
      // Do not filter here, because the server has already filtered.
      filter={(_, actions) => actions}
      nothingFound={isComplete ? "Nothing found" : "Searching…"}
      limit={20}
      scrollable
      maxHeight={420}
      searchProps={{
        id: boxId,
        leftSection: <Search size={16} />,
        placeholder: "Go to a page, topic or task",
        "aria-label": "Go to",
        onKeyDown,
        onFocus: onSteady,
      }}
      actions={groups}
    />
  );
}
