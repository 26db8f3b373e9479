import { createClient } from "@connectrpc/connect";
import { bulkPublisher, publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { DocumentService } from "@ems/proto/catalog/v1/document_service";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import { TaskService } from "@ems/proto/catalog/v1/task_service";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { ApplicationService } from "@ems/proto/identity/v1/application_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { CatalogConfig } from "./config.ts";
import { activateDocumentVersion } from "./rpc/activate-document-version.ts";
import { archiveTag } from "./rpc/archive-tag.ts";
import { archiveTask } from "./rpc/archive-task.ts";
import { archiveTopic } from "./rpc/archive-topic.ts";
import { checkReferences } from "./rpc/check-references.ts";
import { createDefinition } from "./rpc/create-definition.ts";
import { createDocument } from "./rpc/create-document.ts";
import { createDocumentVersion } from "./rpc/create-document-version.ts";
import { createStyleGuide } from "./rpc/create-style-guide.ts";
import { createTag } from "./rpc/create-tag.ts";
import { createTask } from "./rpc/create-task.ts";
import { createTopic } from "./rpc/create-topic.ts";
import { deleteDocument } from "./rpc/delete-document.ts";
import { getDefinition } from "./rpc/get-definition.ts";
import { getDocument } from "./rpc/get-document.ts";
import { getStyleGuide } from "./rpc/get-style-guide.ts";
import { getTask } from "./rpc/get-task.ts";
import { getTopic } from "./rpc/get-topic.ts";
import { linkApplication } from "./rpc/link-application.ts";
import { linkTasks } from "./rpc/link-tasks.ts";
import { linkTopics } from "./rpc/link-topics.ts";
import { listDefinitions } from "./rpc/list-definitions.ts";
import { listDocumentVersions } from "./rpc/list-document-versions.ts";
import { listDocuments } from "./rpc/list-documents.ts";
import { listStyleGuides } from "./rpc/list-style-guides.ts";
import { listTags } from "./rpc/list-tags.ts";
import { listTaskTags } from "./rpc/list-task-tags.ts";
import { listTasks } from "./rpc/list-tasks.ts";
import { listTopics } from "./rpc/list-topics.ts";
import { registerQuickstart } from "./rpc/register-quickstart.ts";
import { tagTasks } from "./rpc/tag-tasks.ts";
import { unlinkApplication } from "./rpc/unlink-application.ts";
import { unlinkTasks } from "./rpc/unlink-tasks.ts";
import { unlinkTopics } from "./rpc/unlink-topics.ts";
import { untagTasks } from "./rpc/untag-tasks.ts";
import { updateDefinition } from "./rpc/update-definition.ts";
import { updateDocumentStatus } from "./rpc/update-document-status.ts";
import { updateDocumentVersion } from "./rpc/update-document-version.ts";
import { updateStyleGuide } from "./rpc/update-style-guide.ts";
import { updateTag } from "./rpc/update-tag.ts";
import { updateTask } from "./rpc/update-task.ts";
import { updateTopic } from "./rpc/update-topic.ts";
import { updateTopics } from "./rpc/update-topics.ts";
import { catalogSchema } from "./schema.ts";

/** Catalog: topics, tasks, tags, documents, style guides, evaluation definitions. */
export function createCatalog(config: CatalogConfig, { log, bus, clock, newId, peer }: ServiceDeps): Promise<Service> {
  return openService(catalogSchema, config, { log, bus }, (database) => {
    const publish = publisher(catalogSchema.name, { clock, newId });
    const publishAll = bulkPublisher(catalogSchema.name, { clock, newId });
    const users = createClient(UserService, peer("identity"));
    const applications = createClient(ApplicationService, peer("identity"));
    const deps = { database, publish, publishAll, clock, newId, users, applications };
    return [
      mount(TopicService, {
        createTopic: createTopic(deps),
        listTopics: listTopics(deps),
        getTopic: getTopic(deps),
        updateTopic: updateTopic(deps),
        updateTopics: updateTopics(deps),
        archiveTopic: archiveTopic(deps),
      }),
      mount(TaskService, {
        listTasks: listTasks(deps),
        createTask: createTask(deps),
        getTask: getTask(deps),
        updateTask: updateTask(deps),
        archiveTask: archiveTask(deps),
      }),
      mount(TagService, {
        listTags: listTags(deps),
        createTag: createTag(deps),
        updateTag: updateTag(deps),
        archiveTag: archiveTag(deps),
        tagTasks: tagTasks(deps),
        untagTasks: untagTasks(deps),
        listTaskTags: listTaskTags(deps),
      }),
      mount(StyleGuideService, {
        createStyleGuide: createStyleGuide(deps),
        listStyleGuides: listStyleGuides(deps),
        getStyleGuide: getStyleGuide(deps),
        updateStyleGuide: updateStyleGuide(deps),
      }),
      mount(DefinitionService, {
        listDefinitions: listDefinitions(deps),
        createDefinition: createDefinition(deps),
        getDefinition: getDefinition(deps),
        updateDefinition: updateDefinition(deps),
        linkApplication: linkApplication(deps),
        unlinkApplication: unlinkApplication(deps),
        linkTopics: linkTopics(deps),
        unlinkTopics: unlinkTopics(deps),
        linkTasks: linkTasks(deps),
        unlinkTasks: unlinkTasks(deps),
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
