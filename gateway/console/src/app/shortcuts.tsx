// Global keyboard shortcuts, and the dialog that lists them (`?`).

import { Kbd, Table } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { type PageEntry, usePages } from "./pages.ts";

const sequenceMs = 1_000;

/** Returns true if the target accepts text. In such a field, letters are not shortcuts. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

interface ShortcutsProps {
  readonly onPalette: () => void;
}

export function Shortcuts({ onPalette }: ShortcutsProps) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const pages = usePages();
  const prefixAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        onPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      if (document.querySelector("[role=dialog]") !== null) return;
      const isSecond = event.timeStamp - prefixAt.current < sequenceMs;
      prefixAt.current = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const page = isSecond ? pages.find(({ key }) => key === event.key) : undefined;
      if (page !== undefined) void navigate({ to: page.to });
      else if (event.key === "?") setOpen(true);
      else if (event.key === "/") focusSearch(event);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [navigate, onPalette, pages]);
  return (
    <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Keyboard shortcuts">
      <Table>
        <Table.Tbody>
          {listShortcuts(pages).map(([keys, meaning]) => (
            <Table.Tr key={keys.join()}>
              <Table.Td w={120}>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}

const listShortcuts = (pages: readonly PageEntry[]): readonly (readonly [readonly string[], string])[] => [
  [["Ctrl", "K"], "Go to a page, topic or task"],
  [["/"], "Search or filter the list"],
  [["?"], "Show keyboard shortcuts"],
  ...pages.map(({ key, label }) => [["g", key], label] as const),
];

function focusSearch(event: KeyboardEvent): void {
  const box = document.querySelector<HTMLInputElement>("input[data-search-box]");
  if (box === null) return;
  event.preventDefault();
  box.focus();
  box.select();
}
