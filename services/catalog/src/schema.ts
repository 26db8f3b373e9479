import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import {
  binaryOutbox,
  countRows,
  createAudit,
  createIdempotency,
  createRetention,
  createSearch,
  eraseCopies,
  indexOutbox,
  keepEtags,
  ownRelay,
} from "@ems/kit/db/shared-migrations";
import { outboxEntity } from "@ems/kit/events/outbox";
import { ApplicationLinkEntity, EvalDefinitionEntity, TaskLinkEntity, TopicLinkEntity } from "./definitions/entity.ts";
import { DocumentEntity, DocumentTagEntity, DocumentVersionEntity } from "./documents/entity.ts";
import { FactEntity, FactTopicEntity } from "./facts/entity.ts";
import { CreateTopics1763712100000 } from "./migrations/1763712100000-create-topics.ts";
import { CreateTags1763722000000 } from "./migrations/1763722000000-create-tags.ts";
import { CreateDocuments1763723000000 } from "./migrations/1763723000000-create-documents.ts";
import { CreateDefinitions1763724000000 } from "./migrations/1763724000000-create-definitions.ts";
import { PublishViews1763742000000 } from "./migrations/1763742000000-publish-views.ts";
import { CompleteTasks1763804000000 } from "./migrations/1763804000000-complete-tasks.ts";
import { FindMeasuredTasks1763804300000 } from "./migrations/1763804300000-find-measured-tasks.ts";
import { PrepareStyleGuides1763805000000 } from "./migrations/1763805000000-prepare-style-guides.ts";
import { ConfigureDefinitions1763806301000 } from "./migrations/1763806301000-configure-definitions.ts";
import { PublishTaskTags1763806302000 } from "./migrations/1763806302000-publish-task-tags.ts";
import { CompleteDocuments1763807000000 } from "./migrations/1763807000000-complete-documents.ts";
import { FindMeasuredTasksFaster1763808000000 } from "./migrations/1763808000000-find-measured-tasks-faster.ts";
import { PlanTests1763832000000 } from "./migrations/1763832000000-plan-tests.ts";
import { CreateFacts1764000310000 } from "./migrations/1764000310000-create-facts.ts";
import { IndexTracedTasks1765000100000 } from "./migrations/1765000100000-index-traced-tasks.ts";
import { QuickstartEntity } from "./references/entity.ts";
import { StyleGuideEntity } from "./style-guides/entity.ts";
import { TagEntity, TaskTagEntity } from "./tags/entity.ts";
import { TaskEntity } from "./tasks/entity.ts";
import { TopicEntity } from "./topics/entity.ts";

/** Catalog's part of the database. */
export const catalogSchema: Schema = {
  name: "catalog",
  entities: [
    TopicEntity,
    TaskEntity,
    TagEntity,
    TaskTagEntity,
    QuickstartEntity,
    DocumentEntity,
    DocumentVersionEntity,
    DocumentTagEntity,
    StyleGuideEntity,
    FactEntity,
    FactTopicEntity,
    EvalDefinitionEntity,
    ApplicationLinkEntity,
    TopicLinkEntity,
    TaskLinkEntity,
    outboxEntity("catalog"),
    idempotencyEntity("catalog"),
  ],
  migrations: [
    CreateTopics1763712100000,
    CreateTags1763722000000,
    CreateDocuments1763723000000,
    CreateDefinitions1763724000000,
    createIdempotency("catalog"),
    indexOutbox("catalog"),
    PublishViews1763742000000,
    ownRelay("catalog"),
    ...createSearch([
      { schema: "catalog", table: "task", tenant: "application_id", idType: "uuid", columns: ["title", "description"] },
      { schema: "catalog", table: "tag", tenant: "application_id", idType: "uuid", columns: ["name", "description"] },
      { schema: "catalog", table: "topic", tenant: "application_id", idType: "uuid", columns: ["title"] },
      {
        schema: "catalog",
        table: "document_version",
        tenant: "application_id",
        idType: "uuid",
        columns: ["title", "content"],
      },
    ]),
    ...countRows([
      { schema: "catalog", table: "topic", tenant: "application_id", times: ["created_at"], groups: ["status"] },
      { schema: "catalog", table: "task", tenant: "application_id", times: ["created_at"], groups: ["status"] },
      { schema: "catalog", table: "document", tenant: "application_id", times: ["created_at"], groups: [] },
    ]),
    PrepareStyleGuides1763805000000,
    CompleteTasks1763804000000,
    ConfigureDefinitions1763806301000,
    CompleteDocuments1763807000000,
    PublishTaskTags1763806302000,
    FindMeasuredTasks1763804300000,
    FindMeasuredTasksFaster1763808000000,
    binaryOutbox("catalog"),
    PlanTests1763832000000,
    CreateFacts1764000310000,
    IndexTracedTasks1765000100000,
    createAudit("catalog", [
      ...["topic", "task", "tag", "document", "document_version", "fact", "style_guide"].map((table) => ({ table })),
      { table: "eval_definition", resource: "definition" },
      { table: "eval_definition_application", resource: "definition-application", id: "definition_id" },
      { table: "eval_definition_topic", resource: "definition-topic", id: "definition_id" },
      { table: "eval_definition_task", resource: "definition-task", id: "definition_id" },
      { table: "fact_topic", id: "fact_id" },
      { table: "document_tag", id: "document_id" },
      { table: "task_tag", id: "task_id" },
    ]),
    eraseCopies("catalog"),
    createRetention("catalog"),
    keepEtags("catalog"),
  ],
};
