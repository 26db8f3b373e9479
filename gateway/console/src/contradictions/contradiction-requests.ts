// API requests for the review of contradictions.

import { get, put, type Schemas, unconditional } from "../api/request.ts";
import { flag, type RawSearch, text, whole } from "../url/search.ts";

export type Contradiction = Schemas["Contradiction"];

export interface ContradictionSearch {
  /** True for resolved contradictions, false for unresolved ones, undefined for all. */
  readonly resolved?: boolean;
  readonly assignedTo?: string;
  /** Index of the displayed contradiction, from 0. */
  readonly skip?: number;
}

export const contradictionSearch = (raw: RawSearch): ContradictionSearch => ({
  resolved: flag(raw.resolved),
  assignedTo: text(raw.assignedTo),
  skip: whole(raw.skip, 1),
});

export const refreshedByContradictions = ["/v0/quickstarts"] as const;

/** Reads the contradiction at an index, counted from the oldest, and the total number. */
export const contradictionAt = (id: string, { resolved, assignedTo, skip }: ContradictionSearch) =>
  get("/v0/quickstarts/{id}/contradictions", {
    params: { path: { id }, query: { resolved, assignedTo, skip, limit: 1, orderBy: "createdAt", orderDir: "asc" } },
  });

export const countContradictions = (id: string, resolved?: boolean) =>
  get("/v0/quickstarts/{id}/contradictions", {
    params: { path: { id }, query: { limit: 1, ...(resolved !== undefined && { resolved }) } },
  });

interface Change {
  readonly id: string;
  readonly contradictionId: string;
  readonly resolved: boolean;
}

export const updateContradiction = ({ id, contradictionId, resolved }: Change) =>
  unconditional(
    put("/v0/quickstarts/{id}/contradictions/{contradictionId}", {
      params: { path: { id, contradictionId } },
      body: { resolved },
    }),
  );
