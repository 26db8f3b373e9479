// API requests of the settings pages.

import { del, get, post, put, type Schemas } from "../api/request.ts";
import { listUrl, type SearchState } from "../url/list-url.ts";
import { text } from "../url/search.ts";

export type ListedApiKey = Schemas["ListedApiKey"];
export type NewApiKey = Schemas["CreateApiKeyRequest"];
export type ModelConnection = Schemas["ModelConnection"];
export type ConnectionTest = Schemas["TestModelConnectionResponse"];
export type EvaluationSettings = Schemas["EvaluationSettings"];
export type User = Schemas["User"];
export type Health = Schemas["Health"];
export type HealthFinding = Schemas["HealthFinding"];

export type Member = Schemas["Member"];
export type Invitation = Schemas["Invitation"];
export type Role = Schemas["CreateInvitationRequest"]["role"];

export const keyUrl = listUrl(["createdAt", "name"], {});
export const connectionUrl = listUrl(["createdAt"], {});
export const userUrl = listUrl(["createdAt", "name"], { search: text });
export const memberUrl = listUrl(["createdAt", "modifiedAt"], {});

export const refreshedByMembers = ["/v0/members", "/v0/invitations"] as const;
export const refreshedByKeys = ["/v0/api-keys"] as const;
export const refreshedByConnections = ["/v0/model-connections", "/v0/evaluation-settings"] as const;

export const listKeys = (search: SearchState<typeof keyUrl>) =>
  get("/v0/api-keys", { params: { query: keyUrl.query(search) } });
export const createKey = (body: NewApiKey) => post("/v0/api-keys", { body });
export const deleteKey = (keyId: string) => del("/v0/api-keys/{keyId}", { params: { path: { keyId } } });

export const listConnections = (search: SearchState<typeof connectionUrl>) =>
  get("/v0/model-connections", { params: { query: connectionUrl.query(search) } });
export const getConnection = (id: string) => get("/v0/model-connections/{id}", { params: { path: { id } } });
export const createConnection = (body: Schemas["CreateModelConnectionRequest"]) =>
  post("/v0/model-connections", { body });
export const updateConnection = ({ id, ...body }: { id: string } & Schemas["UpdateModelConnectionRequest"]) =>
  put("/v0/model-connections/{id}", { params: { path: { id } }, body });
export const deleteConnection = (id: string) => del("/v0/model-connections/{id}", { params: { path: { id } } });
export const testConnection = (id: string) => post("/v0/model-connections/{id}/test", { params: { path: { id } } });

export const createApplication = (body: Schemas["CreateApplicationRequest"]) => post("/v0/applications", { body });

export const listMembers = (search: SearchState<typeof memberUrl>) =>
  get("/v0/members", { params: { query: memberUrl.query(search) } });
export const getMember = (id: string) => get("/v0/members/{id}", { params: { path: { id } } });
export const updateMember = ({ id, role }: { id: string; role: Role }) =>
  put("/v0/members/{id}", { params: { path: { id } }, body: { role } });
export const deleteMember = (id: string) => del("/v0/members/{id}", { params: { path: { id } } });

/** Request for all invitations. One page suffices, because an application has at most 100. */
export const listInvitations = () => get("/v0/invitations", { params: { query: { limit: 100 } } });
export const createInvitation = (body: Schemas["CreateInvitationRequest"]) => post("/v0/invitations", { body });
export const deleteInvitation = (id: string) => del("/v0/invitations/{id}", { params: { path: { id } } });

export const getHealth = () => get("/v0/health");

export const getEvaluationSettings = () => get("/v0/evaluation-settings");
export const updateEvaluationSettings = (body: Schemas["UpdateEvaluationSettingsRequest"]) =>
  put("/v0/evaluation-settings", { body });

export const listUsers = (search: SearchState<typeof userUrl>) =>
  get("/v0/users", { params: { query: userUrl.query(search) } });
