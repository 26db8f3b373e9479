import { createClient } from "@connectrpc/connect";
import { publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { DocumentService } from "@ems/proto/catalog/v1/document_service";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { CatalogConfig } from "./config.ts";
import { activateDocumentVersion } from "./rpc/activate-document-version.ts";
import { archiveTopic } from "./rpc/archive-topic.ts";
import { checkReferences } from "./rpc/check-references.ts";
import { createDocument } from "./rpc/create-document.ts";
import { createDocumentVersion } from "./rpc/create-document-version.ts";
import { createTopic } from "./rpc/create-topic.ts";
import { deleteDocument } from "./rpc/delete-document.ts";
import { getDocument } from "./rpc/get-document.ts";
import { getTopic } from "./rpc/get-topic.ts";
import { listDocumentVersions } from "./rpc/list-document-versions.ts";
import { listDocuments } from "./rpc/list-documents.ts";
import { listTopics } from "./rpc/list-topics.ts";
import { registerQuickstart } from "./rpc/register-quickstart.ts";
import { updateDocumentStatus } from "./rpc/update-document-status.ts";
import { updateDocumentVersion } from "./rpc/update-document-version.ts";
import { catalogSchema } from "./schema.ts";

/** Catalog: topics, and the tasks and documents that hang on them. */
export function createCatalog(config: CatalogConfig, { log, clock, newId, peer }: ServiceDeps): Promise<Service> {
  return openService(catalogSchema, config, log, (database) => {
    const publish = publisher(catalogSchema.name, { clock, newId });
    const users = createClient(UserService, peer("identity"));
    const deps = { database, publish, clock, newId, users };
    return [
      mount(TopicService, {
        createTopic: createTopic(deps),
        listTopics: listTopics(deps),
        getTopic: getTopic(deps),
        archiveTopic: archiveTopic(deps),
      }),
      mount(DocumentService, {
        createDocument: createDocument(deps),
        listDocuments: listDocuments(deps),
        getDocument: getDocument(deps),
        deleteDocument: deleteDocument(deps),
        updateDocumentStatus: updateDocumentStatus(deps),
        listDocumentVersions: listDocumentVersions(deps),
        createDocumentVersion: createDocumentVersion(deps),
        updateDocumentVersion: updateDocumentVersion(deps),
        activateDocumentVersion: activateDocumentVersion(deps),
      }),
      mount(ReferenceService, {
        checkReferences: checkReferences(deps),
        registerQuickstart: registerQuickstart(deps),
      }),
    ];
  });
}
