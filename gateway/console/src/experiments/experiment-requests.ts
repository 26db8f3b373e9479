// API requests of the experiment pages.

import { get, post, put, type Schemas } from "../api/request.ts";
import { type ExperimentSearch, experimentUrl } from "./experiment-search.ts";

export type Experiment = Schemas["Experiment"];
export type InferenceStep = Schemas["InferenceStep"];

/** Paths to refresh after an experiment changes. */
export const refreshedByExperiments = ["/v0/experiments"] as const;

export const listExperiments = (search: ExperimentSearch) =>
  get("/v0/experiments", { params: { query: experimentUrl.query(search) } });
export const getExperiment = (id: string) => get("/v0/experiments/{id}", { params: { path: { id } } });
export const createExperiment = (body: Schemas["CreateExperimentRequest"]) => post("/v0/experiments", { body });
export const updateExperiment = ({ id, ...body }: { id: string } & Schemas["UpdateExperimentRequest"]) =>
  put("/v0/experiments/{id}", { params: { path: { id } }, body });
/** Request for a page of all inference steps, which the API cannot search. */
export const allInferenceSteps = (after?: string) =>
  get("/v0/inference-steps", { params: { query: { limit: 100, orderBy: "title", orderDir: "asc", after } } });
