import { get, type Schemas } from "../api/request.ts";
import { type SessionSearch, sessionUrl } from "./session-search.ts";

export type Session = Schemas["Session"];

/** Traces per page of a session. */
export const turnsPage = 50;

export const listSessions = (search: SessionSearch) =>
  get("/v0/sessions", { params: { query: sessionUrl.query(search) } });
export const getSession = (id: string, skip = 0) =>
  get("/v0/sessions/{id}", { params: { path: { id }, query: { skip, limit: turnsPage } } });
