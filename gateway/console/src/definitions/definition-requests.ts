import { get, post, put, type Schemas } from "../api/request.ts";
import { pageMax, pickFrom } from "../ui/pick/found.ts";
import { type DefinitionSearch, definitionUrl } from "./definition-search.ts";

export type Definition = Schemas["EvalDefinition"];
export type DefinitionTrial = Schemas["DefinitionTrial"];

/** Paths of queries to refresh after a definition or its links change. */
export const refreshedByDefinitions = ["/v0/definitions", "/v0/tasks", "/v0/topics", "/v0/style-guides"] as const;

export const listDefinitions = (search: DefinitionSearch) =>
  get("/v0/definitions", { params: { query: definitionUrl.query(search) } });
export const firstDefinitions = get("/v0/definitions", {
  params: { query: { limit: 100, orderBy: "name", orderDir: "asc" } },
});
export const getDefinition = (id: string) => get("/v0/definitions/{id}", { params: { path: { id } } });
export const createDefinition = (body: Schemas["CreateDefinitionRequest"]) => post("/v0/definitions", { body });
export const updateDefinition = ({ id, ...body }: { id: string } & Schemas["UpdateDefinitionRequest"]) =>
  put("/v0/definitions/{id}", { params: { path: { id } }, body });
export const getCalibration = (id: string) => get("/v0/definitions/{id}/calibration", { params: { path: { id } } });
export const queueCalibrationTraces = ({ id, ...body }: { id: string } & Schemas["QueueCalibrationTracesRequest"]) =>
  post("/v0/definitions/{id}/calibration/queue", { params: { path: { id } }, body });
export const tryDefinition = (body: Schemas["TryDefinitionRequest"]) => post("/v0/definitions/try", { body });
export const linkTasks = (body: Schemas["LinkTasksRequest"]) => post("/v0/definitions/link", { body });
export const unlinkTasks = (body: Schemas["UnlinkTasksRequest"]) => post("/v0/definitions/unlink", { body });
export const linkTopics = (body: Schemas["LinkTopicsRequest"]) => post("/v0/definitions/link-topics", { body });
export const unlinkTopics = (body: Schemas["UnlinkTopicsRequest"]) => post("/v0/definitions/unlink-topics", { body });
export const linkApplication = (evalIds: string[]) => post("/v0/definitions/link-application", { body: { evalIds } });
export const unlinkApplication = (evalIds: string[]) =>
  post("/v0/definitions/unlink-application", { body: { evalIds } });

export const useDefinitions = pickFrom({
  search: (search) => listDefinitions({ search, limit: pageMax, orderBy: "name", orderDir: "asc" }),
  get: getDefinition,
  toRow: ({ data }) => data,
  toChoice: ({ id, name }) => ({ value: id, label: name }),
});
