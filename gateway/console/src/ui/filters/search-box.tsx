import { CloseButton } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { Search } from "lucide-react";
import { useContext, useEffect, useRef, useState } from "react";
import { namedField } from "./complete.ts";
import { FilterBox } from "./filter-box.tsx";
import { FiltersContext } from "./filter-fields.ts";

interface SearchBoxProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

const typingPauseMs = 300;

/** Search box of a list that also completes its filters. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  const { fields } = useContext(FiltersContext);
  const [typed, setTyped] = useState(value ?? "");
  const lastSent = useRef(value ?? "");
  // The URL may also change without typing, by the Back button, a link or a reset. Then show its value.
  useEffect(() => {
    if ((value ?? "") === lastSent.current) return;
    lastSent.current = value ?? "";
    setTyped(value ?? "");
  }, [value]);
  const sendNow = (next: string) => {
    if (next === lastSent.current) return;
    lastSent.current = next;
    onChange(next === "" ? undefined : next);
  };
  const sendLater = useDebouncedCallback(sendNow, typingPauseMs);
  const clear = () => {
    setTyped("");
    sendLater.cancel();
    sendNow("");
  };
  return (
    <FilterBox
      label={label}
      icon={<Search size={14} aria-hidden />}
      end={typed === "" ? null : <CloseButton size="xs" aria-label="Clear the search" onClick={clear} />}
      typed={typed}
      onType={(text) => {
        setTyped(text);
        // Do not search for the name of a filter, which the person is about to set.
        if (namedField([...fields.values()], text) === undefined) sendLater(text);
        else sendLater.cancel();
      }}
      onChosen={clear}
    />
  );
}
