// API requests for the variants of an experiment.

import { get, post, put, type Schemas } from "../api/request.ts";
import { refreshedByExperiments } from "./experiment-requests.ts";

export type Variant = Schemas["ExperimentVariant"];

export interface VariantIds {
  readonly experimentId: string;
  readonly variantId: string;
}

/** Paths to refresh after a variant changes. */
export const refreshedByVariants = [...refreshedByExperiments, "/v0/runs"] as const;

const path = ({ experimentId, variantId }: VariantIds) => ({ path: { id: experimentId, variantId } });

/** Request for all variants of an experiment, which fit on one page. The baseline is the first. */
export const allVariants = (experimentId: string) =>
  get("/v0/experiments/{id}/variants", {
    params: { path: { id: experimentId }, query: { limit: 100, orderBy: "createdAt", orderDir: "asc" } },
  });
export const getVariant = ({ experimentId, variantId }: VariantIds) =>
  get("/v0/experiments/{id}/variants/{variantId}", { params: path({ experimentId, variantId }) });
export const createVariant = ({ experimentId, ...body }: { experimentId: string } & Schemas["CreateVariantRequest"]) =>
  post("/v0/experiments/{id}/variants", { params: { path: { id: experimentId } }, body });

export const runVariant = ({ repeat, simulate, ...of }: VariantIds & Schemas["RunVariantRequest"]) =>
  post("/v0/experiments/{id}/variants/{variantId}/run", { params: path(of), body: { repeat, simulate } });
export const stopVariant = (of: VariantIds) =>
  post("/v0/experiments/{id}/variants/{variantId}/stop", { params: path(of) });
export const resumeVariant = (of: VariantIds) =>
  post("/v0/experiments/{id}/variants/{variantId}/resume", { params: path(of) });
export const rejectVariant = (of: VariantIds) =>
  post("/v0/experiments/{id}/variants/{variantId}/reject", { params: path(of) });
export const promoteVariant = (of: VariantIds) =>
  post("/v0/experiments/{id}/variants/{variantId}/promote", { params: path(of) });

export const updateVariant = ({ experimentId, variantId, ...body }: VariantIds & Schemas["UpdateVariantRequest"]) =>
  put("/v0/experiments/{id}/variants/{variantId}", { params: path({ experimentId, variantId }), body });

interface ComparedWith {
  /** Id of the reference variant. Default: the baseline. */
  readonly baseline?: string | undefined;
  /** Difference of pass rates to detect, from 0 to 1. */
  readonly detect?: number | undefined;
}

export const compareVariant = ({ experimentId, id }: Pick<Variant, "experimentId" | "id">, query: ComparedWith) =>
  get("/v0/experiments/{id}/comparison", { params: { path: { id: experimentId }, query: { variant: id, ...query } } });
