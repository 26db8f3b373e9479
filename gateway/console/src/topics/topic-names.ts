// Loads titles of topics, for filters and for rows that contain only a topic's id.

import { useQueries, useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { get } from "../api/request.ts";
import { pageMax, pickFrom } from "../ui/pick/found.ts";
import { getTopic } from "./topic-requests.ts";

const firstTopics = get("/v0/topics", { params: { query: { limit: 100, orderBy: "title", orderDir: "asc" } } });

export const useTopics = pickFrom({
  search: (title) =>
    get("/v0/topics", { params: { query: { title, limit: pageMax, orderBy: "title", orderDir: "asc" } } }),
  get: getTopic,
  toRow: ({ data }) => data,
  toChoice: ({ id, title }) => ({ value: id, label: title }),
});

/** Returns titles by id. Each topic that is archived or beyond the first hundred needs its own request. */
export function useTopicTitles(ids: readonly (string | null | undefined)[]): ReadonlyMap<string, string> {
  const { data } = useQuery(read(firstTopics));
  const titles = new Map((data?.data ?? []).map(({ id, title }) => [id, title]));
  const unnamed = [...new Set(ids)].filter((id) => id != null).filter((id) => data !== undefined && !titles.has(id));
  const single = useQueries({ queries: unnamed.map((id) => read(getTopic(id))) });
  for (const { data: found } of single) if (found !== undefined) titles.set(found.data.id, found.data.title);
  return titles;
}
