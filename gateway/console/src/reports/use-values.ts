// Loads a column's values, to complete typed values and to find the names of references.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { read } from "../api/query.ts";
import { words } from "../ui/format.ts";
import { readReference, textOfColumn } from "./query.ts";
import { listValues } from "./report-requests.ts";
import type { Datasource } from "./report-search.ts";
import type { SourceColumn } from "./report-words.ts";

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Returns true if the column's values repeat. Completion is useless for unique values, such as ids. */
const isCompleted = ({ id, isFilterOnly, isReference, type }: SourceColumn) =>
  type === "string" && (isFilterOnly || isReference || !(/(^id|Id)$/.test(id) || id === "description"));

export function useValues(source: Datasource, column: SourceColumn | undefined): Choice[] {
  const isFixed = (column?.values.length ?? 0) > 0;
  const enabled = column !== undefined && !isFixed && isCompleted(column);
  const listed = listValues(source, column ?? { id: "", isFilterOnly: false });
  const { data } = useQuery({ ...read(listed.request), enabled });
  const [valueId, nameId = valueId] = [listed.column, listed.name];
  const rows = data?.data.results;
  return useMemo(() => {
    if (column === undefined) return [];
    if (isFixed) return column.values.map((value) => ({ value, label: words(value) }));
    return (rows ?? []).flatMap((row): Choice[] => {
      const reference = readReference(row, valueId);
      if (reference !== null) return [{ value: reference.id, label: reference.name }];
      const value = textOfColumn(row, valueId);
      return value === null || value === "" ? [] : [{ value, label: textOfColumn(row, nameId) ?? value }];
    });
  }, [column, isFixed, rows, valueId, nameId]);
}
