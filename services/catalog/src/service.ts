import { createClient } from "@connectrpc/connect";
import { bulkPublisher, publisher } from "@ems/kit/events/publish";
import { mount } from "@ems/kit/rpc/service";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import { TaskService } from "@ems/proto/catalog/v1/task_service";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import type { CatalogConfig } from "./config.ts";
import { archiveTag } from "./rpc/archive-tag.ts";
import { archiveTask } from "./rpc/archive-task.ts";
import { archiveTopic } from "./rpc/archive-topic.ts";
import { checkReferences } from "./rpc/check-references.ts";
import { createTag } from "./rpc/create-tag.ts";
import { createTask } from "./rpc/create-task.ts";
import { createTopic } from "./rpc/create-topic.ts";
import { getTask } from "./rpc/get-task.ts";
import { getTopic } from "./rpc/get-topic.ts";
import { listTags } from "./rpc/list-tags.ts";
import { listTaskTags } from "./rpc/list-task-tags.ts";
import { listTasks } from "./rpc/list-tasks.ts";
import { listTopics } from "./rpc/list-topics.ts";
import { registerQuickstart } from "./rpc/register-quickstart.ts";
import { tagTasks } from "./rpc/tag-tasks.ts";
import { untagTasks } from "./rpc/untag-tasks.ts";
import { updateTag } from "./rpc/update-tag.ts";
import { updateTask } from "./rpc/update-task.ts";
import { updateTopic } from "./rpc/update-topic.ts";
import { updateTopics } from "./rpc/update-topics.ts";
import { catalogSchema } from "./schema.ts";

/** Catalog: topics, the tasks that hang on them, and their tags. */
export function createCatalog(config: CatalogConfig, { log, clock, newId, peer }: ServiceDeps): Promise<Service> {
  return openService(catalogSchema, config, log, (database) => {
    const publish = publisher(catalogSchema.name, { clock, newId });
    const publishAll = bulkPublisher(catalogSchema.name, { clock, newId });
    const users = createClient(UserService, peer("identity"));
    const deps = { database, publish, publishAll, clock, newId, users };
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
      mount(ReferenceService, {
        checkReferences: checkReferences(deps),
        registerQuickstart: registerQuickstart(deps),
      }),
    ];
  });
}
