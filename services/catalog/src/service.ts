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
import { activateDocumentVersion } from "./documents/activate-document-version.ts";
import { archiveTag } from "./tags/archive-tag.ts";
import { archiveTask } from "./tasks/archive-task.ts";
import { archiveTopic } from "./topics/archive-topic.ts";
import { checkReferences } from "./references/check-references.ts";
import { createDefinition } from "./definitions/create-definition.ts";
import { createDocument } from "./documents/create-document.ts";
import { createDocumentVersion } from "./documents/create-document-version.ts";
import { createStyleGuide } from "./style-guides/create-style-guide.ts";
import { createTag } from "./tags/create-tag.ts";
import { createTask } from "./tasks/create-task.ts";
import { createTopic } from "./topics/create-topic.ts";
import { deleteDocument } from "./documents/delete-document.ts";
import { getDefinition } from "./definitions/get-definition.ts";
import { getDocument } from "./documents/get-document.ts";
import { getStyleGuide } from "./style-guides/get-style-guide.ts";
import { getTask } from "./tasks/get-task.ts";
import { getTopic } from "./topics/get-topic.ts";
import { linkApplication } from "./definitions/link-application.ts";
import { linkTasks } from "./definitions/link-tasks.ts";
import { linkTopics } from "./definitions/link-topics.ts";
import { listDefinitions } from "./definitions/list-definitions.ts";
import { listDocumentVersions } from "./documents/list-document-versions.ts";
import { listDocuments } from "./documents/list-documents.ts";
import { listStyleGuides } from "./style-guides/list-style-guides.ts";
import { listTags } from "./tags/list-tags.ts";
import { listTaskTags } from "./tags/list-task-tags.ts";
import { listTasks } from "./tasks/list-tasks.ts";
import { listTopics } from "./topics/list-topics.ts";
import { registerQuickstart } from "./references/register-quickstart.ts";
import { tagTasks } from "./tags/tag-tasks.ts";
import { unlinkApplication } from "./definitions/unlink-application.ts";
import { unlinkTasks } from "./definitions/unlink-tasks.ts";
import { unlinkTopics } from "./definitions/unlink-topics.ts";
import { untagTasks } from "./tags/untag-tasks.ts";
import { updateDefinition } from "./definitions/update-definition.ts";
import { updateDocumentStatus } from "./documents/update-document-status.ts";
import { updateDocumentVersion } from "./documents/update-document-version.ts";
import { updateStyleGuide } from "./style-guides/update-style-guide.ts";
import { updateTag } from "./tags/update-tag.ts";
import { updateTask } from "./tasks/update-task.ts";
import { updateTopic } from "./topics/update-topic.ts";
import { updateTopics } from "./topics/update-topics.ts";
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
