// Finds topics and tasks whose names contain a text. While a request is pending, returns those rows of the previous
// response that still match.

import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { readList } from "../api/query.ts";
import { get } from "../api/request.ts";
import { stillMatching } from "./still-matching.ts";

const namesMax = 5;
const shortest = 2;
const typingMs = 200;

export function useNames(text: string) {
  const [search] = useDebouncedValue(text, typingMs);
  const enabled = search.length >= shortest;
  const topics = useQuery({
    ...readList(get("/v0/topics", { params: { query: { title: search, limit: namesMax } } })),
    enabled,
  });
  const tasks = useQuery({
    ...readList(get("/v0/tasks", { params: { query: { search, limit: namesMax } } })),
    enabled,
  });
  const isAsked = text.length >= shortest;
  const isAnswer = ({ isError, isSuccess, isPlaceholderData }: typeof topics | typeof tasks) =>
    enabled && search === text && (isError || (isSuccess && !isPlaceholderData));
  const getRows = (query: typeof topics | typeof tasks) => {
    const rows = isAsked ? (query.data?.data ?? []) : [];
    return isAnswer(query) ? rows : stillMatching(rows, text);
  };
  return {
    topics: getRows(topics),
    tasks: getRows(tasks),
    /** True if the rows are the complete results for the text. */
    isComplete: !isAsked || (isAnswer(topics) && isAnswer(tasks)),
  };
}
