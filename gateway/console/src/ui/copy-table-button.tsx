import { ActionIcon, Tooltip } from "@mantine/core";
import { Check, Table } from "lucide-react";
import { type RefObject, useState } from "react";
import { copyTable } from "./copy-tables.ts";

interface CopyTableButtonProps {
  /** Element with the table. */
  readonly within: RefObject<HTMLElement | null>;
}

/** Button that copies the displayed table, for a spreadsheet. */
export function CopyTableButton({ within }: CopyTableButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const table = within.current?.querySelector("table");
    if (table == null) return;
    await copyTable(table);
    setCopied(true);
    setTimeout(setCopied, 2_000, false);
  };
  return (
    <Tooltip label="Copy as table">
      <ActionIcon
        variant="default"
        size={30}
        aria-label={isCopied ? "Copied" : "Copy as table"}
        onClick={() => void copy()}
      >
        {isCopied ? <Check size={14} /> : <Table size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}
