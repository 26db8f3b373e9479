import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { get, post, put, type Schemas } from "../api/request.ts";
import type { Choice } from "../ui/filters/choice-filter.tsx";

export const listTags = get("/v0/tags", { params: { query: { limit: 100, orderBy: "name", orderDir: "asc" } } });
export const createTag = (body: Schemas["CreateTagRequest"]) => post("/v0/tags", { body });
export const tagTasks = (body: Schemas["TagTasksRequest"]) => post("/v0/tasks/tags", { body });
export const untagTasks = (body: Schemas["UntagTasksRequest"]) => post("/v0/tasks/untag", { body });
export const listTaskTags = (id: string) => get("/v0/tasks/{id}/tags", { params: { path: { id } } });
export const setTaskTags = ({ id, tagIds }: { id: string; tagIds: string[] }) =>
  put("/v0/tasks/{id}/tags", { params: { path: { id } }, body: { tagIds } });

export function useTagChoices(): Choice<string>[] {
  const { data } = useQuery(read(listTags));
  return (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
}
