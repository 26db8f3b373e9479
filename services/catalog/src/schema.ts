import { baseline, sqlFiles } from "@ems/kit/baseline";
import { idempotencyEntity } from "@ems/kit/db/idempotency";
import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { ApplicationLinkEntity, EvalDefinitionEntity, TaskLinkEntity, TopicLinkEntity } from "./definitions/entity.ts";
import { DocumentEntity, DocumentTagEntity, DocumentVersionEntity } from "./documents/entity.ts";
import { FactEntity, FactTopicEntity } from "./facts/entity.ts";
import { AddImportedTasks1765500000000 } from "./migrations/add-imported-tasks.ts";
import { AddImports1765401000000 } from "./migrations/add-imports.ts";
import { AddTaskExamples1765400000000 } from "./migrations/add-task-examples.ts";
import { PublishTaskTags1765600000000 } from "./migrations/publish-task-tags.ts";
import { QuickstartEntity } from "./references/entity.ts";
import { StyleGuideEntity } from "./style-guides/entity.ts";
import { TagEntity, TaskTagEntity } from "./tags/entity.ts";
import { ImportedTaskEntity, TaskEntity } from "./tasks/entity.ts";
import { TopicEntity } from "./topics/entity.ts";

/** Database schema of catalog. */
export const catalogSchema: Schema = {
  name: "catalog",
  entities: [
    TopicEntity,
    TaskEntity,
    ImportedTaskEntity,
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
    baseline({
      schema: "catalog",
      files: sqlFiles(import.meta.url, [
        "references/schema.sql",
        "topics/schema.sql",
        "tasks/schema.sql",
        "tags/schema.sql",
        "documents/schema.sql",
        "style-guides/schema.sql",
        "facts/schema.sql",
        "definitions/schema.sql",
      ]),
      searched: [
        { table: "task", tenant: "application_id", idType: "uuid", columns: ["title", "description"] },
        { table: "tag", tenant: "application_id", idType: "uuid", columns: ["name", "description"] },
        { table: "topic", tenant: "application_id", idType: "uuid", columns: ["title"] },
        { table: "document_version", tenant: "application_id", idType: "uuid", columns: ["title", "content"] },
      ],
      counted: [
        { table: "topic", tenant: "application_id", times: ["created_at"], groups: ["status"] },
        { table: "task", tenant: "application_id", times: ["created_at"], groups: ["status"] },
        { table: "document", tenant: "application_id", times: ["created_at"], groups: [] },
      ],
      audited: [
        ...["topic", "task", "tag", "document", "document_version", "fact", "style_guide"].map((table) => ({ table })),
        { table: "eval_definition", resource: "definition" },
        { table: "eval_definition_application", resource: "definition-application", id: "definition_id" },
        { table: "eval_definition_topic", resource: "definition-topic", id: "definition_id" },
        { table: "eval_definition_task", resource: "definition-task", id: "definition_id" },
        { table: "fact_topic", id: "fact_id" },
        { table: "document_tag", id: "document_id" },
        { table: "task_tag", id: "task_id" },
      ],
      erasesCopies: true,
    }),
    AddTaskExamples1765400000000,
    AddImports1765401000000,
    AddImportedTasks1765500000000,
    PublishTaskTags1765600000000,
  ],
  replaced: { newest: "KeepEtags1765080300000", dump: new URL("../baseline.txt", import.meta.url) },
};
