import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { messageOfError } from "../../api/errors.ts";
import { count } from "../format.ts";
import { save } from "./save.ts";

/** Maximum number of rows, because the browser holds them in memory. */
const rowsMax = 50_000;

interface ExportedPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** Cursor of the next page; null on the last page, undefined if the pages are found by the number of rows. */
  readonly nextCursor?: string | null;
  /** Converts the rows of all pages to CSV. */
  toCsv(rows: readonly Row[]): string;
}

interface ExportButtonProps<Row> {
  readonly fileName: string;
  /** Reads one page of the API's maximum page size, after a cursor or a number of rows. */
  readonly readPage: (skip: number, after: string | undefined) => Promise<ExportedPage<Row>>;
  /** Sentence that describes another way to export more rows. */
  readonly instead?: string;
}

/** Button that exports all rows as CSV, not only the current page. */
export function ExportButton<Row>({ fileName, readPage, instead }: ExportButtonProps<Row>) {
  const [done, setDone] = useState(0);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const all: Row[] = [];
      for (let after: string | undefined; ; ) {
        const { rows, total, nextCursor, toCsv } = await readPage(all.length, after);
        all.push(...rows);
        setDone(all.length);
        if (total > rowsMax) {
          const limit = `Too many rows: ${count(total)}. Filter to at most ${count(rowsMax)}.`;
          throw new Error(instead === undefined ? limit : `${limit} ${instead}`);
        }
        if (nextCursor === null || rows.length === 0) return toCsv(all);
        if (nextCursor === undefined && all.length >= total) return toCsv(all);
        after = nextCursor;
      }
    },
    onSuccess: (csv) => save(fileName, new Blob([csv], { type: "text/csv;charset=utf-8" })),
    onError: (error) => notifications.show({ color: "red", title: "Export failed", message: messageOfError(error) }),
    onSettled: () => setDone(0),
  });
  return (
    <Button variant="default" leftSection={<Download size={14} />} disabled={isPending} onClick={() => mutate()}>
      {isPending ? `${count(done)} rows…` : "CSV"}
    </Button>
  );
}
