import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import classes from "./filters.module.css";

interface SearchBoxProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

const typingPauseMs = 300;

/** `/` puts the focus here. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  const [typed, setTyped] = useState(value ?? "");
  const lastSent = useRef(value ?? "");
  // The URL may change without typing: back, a link, a reset.
  useEffect(() => {
    if ((value ?? "") === lastSent.current) return;
    lastSent.current = value ?? "";
    setTyped(value ?? "");
  }, [value]);
  const sendNow = (next: string) => {
    lastSent.current = next;
    onChange(next === "" ? undefined : next);
  };
  const sendLater = useDebouncedCallback(sendNow, typingPauseMs);
  const clear = () => {
    setTyped("");
    sendNow("");
  };
  return (
    <TextInput
      size="xs"
      type="text"
      role="searchbox"
      data-search-box
      className={classes.search}
      aria-label={label}
      placeholder={label}
      maxLength={200}
      leftSection={<Search size={14} />}
      rightSection={typed === "" ? null : <CloseButton size="xs" aria-label="Clear the search" onClick={clear} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        sendLater(event.currentTarget.value);
      }}
    />
  );
}
