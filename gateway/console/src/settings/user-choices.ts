// People as choices for a field or filter.

import { get } from "../api/request.ts";
import { pageMax, pickFrom } from "../ui/pick/found.ts";

export const useUsers = pickFrom({
  search: (search) =>
    get("/v0/users", { params: { query: { search, limit: pageMax, orderBy: "name", orderDir: "asc" } } }),
  get: (id) => get("/v0/users/{id}", { params: { path: { id } } }),
  toRow: ({ data }) => data,
  toChoice: ({ id, name, email }) => ({ value: id, label: email === null ? name : `${name}, ${email}` }),
});
