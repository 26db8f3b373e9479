// API requests of the document pages.

import { del, get, post, put, type Schemas } from "../api/request.ts";
import { type DocumentSearch, documentQuery } from "./document-search.ts";

export type Document = Schemas["Document"];
export type DocumentVersion = Schemas["DocumentVersion"];

export const refreshedByDocuments = ["/v0/documents", "/v0/topics"] as const;

export const listDocuments = (search: DocumentSearch) =>
  get("/v0/documents", { params: { query: documentQuery(search) } });
export const getDocument = (id: string) => get("/v0/documents/{id}", { params: { path: { id } } });
export const createDocument = (body: Schemas["CreateDocumentRequest"]) => post("/v0/documents", { body });
/** Safe cast: the contract's type has no place for a form with files. */
export const uploadDocuments = (form: FormData) => post("/v0/documents/upload", { body: form as never });
export const deleteDocument = (id: string) => del("/v0/documents/{id}", { params: { path: { id } } });
export const updateStatus = (body: Schemas["UpdateDocumentStatusRequest"]) => post("/v0/documents/status", { body });
export const createVersion = ({ id, ...body }: { id: string } & Schemas["CreateDocumentVersionRequest"]) =>
  post("/v0/documents/{id}/versions", { params: { path: { id } }, body });
export const activateVersion = (path: { id: string; versionNumber: number }) =>
  put("/v0/documents/{id}/versions/{versionNumber}/activate", { params: { path } });
