import { get, post, put, type Schemas } from "../api/request.ts";
import { pageMax, pickFrom } from "../ui/pick/found.ts";

export const createTag = (body: Schemas["CreateTagRequest"]) => post("/v0/tags", { body });
export const tagTasks = (body: Schemas["TagTasksRequest"]) => post("/v0/tasks/tags", { body });
export const untagTasks = (body: Schemas["UntagTasksRequest"]) => post("/v0/tasks/untag", { body });
export const listTaskTags = (id: string) => get("/v0/tasks/{id}/tags", { params: { path: { id } } });
export const setTaskTags = ({ id, tagIds }: { id: string; tagIds: string[] }) =>
  put("/v0/tasks/{id}/tags", { params: { path: { id } }, body: { tagIds } });

export const useTags = pickFrom({
  search: (search) =>
    get("/v0/tags", { params: { query: { search, limit: pageMax, orderBy: "name", orderDir: "asc" } } }),
  get: (id) => get("/v0/tags/{id}", { params: { path: { id } } }),
  toRow: ({ data }) => data,
  toChoice: ({ id, name }) => ({ value: id, label: name }),
});
