import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { messageOfError } from "../../api/errors.ts";
import { count } from "../format.ts";
import { save } from "./save.ts";

/** What a browser holds easily. */
const rowsMax = 50_000;

interface ExportedPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** The file of the rows of all pages. */
  csvOf(rows: readonly Row[]): string;
}

interface ExportButtonProps<Row> {
  readonly fileName: string;
  /** Of as many rows as the API answers at once. */
  readonly readPage: (skip: number) => Promise<ExportedPage<Row>>;
  /** How to export more than a browser holds, as a sentence. */
  readonly instead?: string;
}

/** All rows as CSV, whichever page is on the screen. */
export function ExportButton<Row>({ fileName, readPage, instead }: ExportButtonProps<Row>) {
  const [done, setDone] = useState(0);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const all: Row[] = [];
      for (;;) {
        const { rows, total, csvOf } = await readPage(all.length);
        all.push(...rows);
        setDone(all.length);
        if (total > rowsMax) {
          const limit = `There are ${count(total)} rows; a filter must leave at most ${count(rowsMax)}.`;
          throw new Error(instead === undefined ? limit : `${limit} ${instead}`);
        }
        if (rows.length === 0 || all.length >= total) return csvOf(all);
      }
    },
    onSuccess: (csv) => save(fileName, new Blob([csv], { type: "text/csv;charset=utf-8" })),
    onError: (error) => notifications.show({ color: "red", title: "Not exported", message: messageOfError(error) }),
    onSettled: () => setDone(0),
  });
  return (
    <Button variant="default" leftSection={<Download size={14} />} disabled={isPending} onClick={() => mutate()}>
      {isPending ? `${count(done)} rows…` : "CSV"}
    </Button>
  );
}
