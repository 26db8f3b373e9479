import { type Mount, mount } from "@ems/kit/rpc/service";
import { DocumentService } from "@ems/proto/catalog/v1/document_service";
import type { Deps } from "../deps.ts";
import { activateDocumentVersion } from "./activate-document-version.ts";
import { createDocument } from "./create-document.ts";
import { createDocumentVersion } from "./create-document-version.ts";
import { deleteDocument } from "./delete-document.ts";
import { getDocument } from "./get-document.ts";
import { getDocumentVersion } from "./get-document-version.ts";
import { listDocumentChunks } from "./list-document-chunks.ts";
import { listDocumentTags } from "./list-document-tags.ts";
import { listDocumentVersions } from "./list-document-versions.ts";
import { listDocuments } from "./list-documents.ts";
import { setDocumentTags } from "./set-document-tags.ts";
import { updateDocumentStatus } from "./update-document-status.ts";
import { updateDocumentVersion } from "./update-document-version.ts";
import { uploadDocuments } from "./upload-documents.ts";

export const documents = (deps: Deps): Mount =>
  mount(DocumentService, {
    createDocument: createDocument(deps),
    uploadDocuments: uploadDocuments(deps),
    listDocuments: listDocuments(deps),
    getDocument: getDocument(deps),
    deleteDocument: deleteDocument(deps),
    updateDocumentStatus: updateDocumentStatus(deps),
    listDocumentChunks: listDocumentChunks(deps),
    setDocumentTags: setDocumentTags(deps),
    listDocumentTags: listDocumentTags(deps),
    listDocumentVersions: listDocumentVersions(deps),
    createDocumentVersion: createDocumentVersion(deps),
    getDocumentVersion: getDocumentVersion(deps),
    updateDocumentVersion: updateDocumentVersion(deps),
    activateDocumentVersion: activateDocumentVersion(deps),
  });
