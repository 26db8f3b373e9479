import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { get, post, type Schemas } from "../api/request.ts";
import type { Choice } from "../ui/filters/choice-filter.tsx";

export type Definition = Schemas["EvalDefinition"];
export const definitionTypes = ["NATURALNESS", "STYLE", "RECALL", "FACT", "CUSTOM", "OUTPUT_MATCH"] as const;

export const firstDefinitions = get("/v0/definitions", {
  params: { query: { limit: 100, orderBy: "name", orderDir: "asc" } },
});
export const linkTasks = (body: Schemas["LinkTasksRequest"]) => post("/v0/definitions/link", { body });
export const unlinkTasks = (body: Schemas["UnlinkTasksRequest"]) => post("/v0/definitions/unlink", { body });
export const linkTopics = (body: Schemas["LinkTopicsRequest"]) => post("/v0/definitions/link-topics", { body });
export const unlinkTopics = (body: Schemas["UnlinkTopicsRequest"]) => post("/v0/definitions/unlink-topics", { body });

export function useDefinitionChoices(): Choice<string>[] {
  const { data } = useQuery(read(firstDefinitions));
  return (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
}
