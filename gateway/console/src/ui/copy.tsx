import { ActionIcon, CopyButton } from "@mantine/core";
import { Check, Copy as CopyIcon } from "lucide-react";

interface CopyProps {
  readonly value: string;
  /** Accessible name of the button, which says what it copies. */
  readonly label: string;
}

export function Copy({ value, label }: CopyProps) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={copied ? "Copied" : label} onClick={copy}>
          {copied ? <Check size={14} /> : <CopyIcon size={14} />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}
