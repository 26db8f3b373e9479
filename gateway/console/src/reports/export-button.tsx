import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { messageOfError } from "../api/errors.ts";
import { send } from "../api/send.ts";
import { count } from "../ui/format.ts";
import { csvOf } from "./csv.ts";
import { save } from "./download.ts";
import { queryReport, type ReportQuery } from "./query.ts";
import { pageMax } from "./report-search.ts";
import { type Row, resultColumns, type SourceColumn } from "./report-words.ts";

/** What a browser holds easily; larger exports are the API's. */
const rowsMax = 50_000;

interface ExportButtonProps {
  readonly query: ReportQuery;
  readonly columns: readonly SourceColumn[];
}

/** All pages of the report, whichever is on the screen. */
export function ExportButton({ query, columns }: ExportButtonProps) {
  const [done, setDone] = useState(0);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const rows: Row[] = [];
      for (;;) {
        const { data, pagination } = await send(queryReport({ ...query, skip: rows.length, limit: pageMax }));
        rows.push(...data.results);
        setDone(rows.length);
        if (pagination.total > rowsMax) {
          throw new Error(
            `The report has ${count(pagination.total)} rows; a filter must leave at most ${count(rowsMax)}.`,
          );
        }
        if (data.results.length === 0 || rows.length >= pagination.total) {
          return csvOf(resultColumns(data.columns, query, columns), rows, query.timezone);
        }
      }
    },
    onSuccess: (csv) => save(`${query.datasource}-report.csv`, new Blob([csv], { type: "text/csv;charset=utf-8" })),
    onError: (error) => notifications.show({ color: "red", title: "Not exported", message: messageOfError(error) }),
    onSettled: () => setDone(0),
  });
  return (
    <Button variant="default" leftSection={<Download size={14} />} disabled={isPending} onClick={() => mutate()}>
      {isPending ? `${count(done)} rows…` : "CSV"}
    </Button>
  );
}
