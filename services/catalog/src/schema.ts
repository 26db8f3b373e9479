import type { Schema } from "@ems/kit/db/schema";
import { outboxEntity } from "@ems/kit/events/outbox";
import { QuickstartEntity } from "./entities/quickstart.ts";
import { TagEntity } from "./entities/tag.ts";
import { TaskEntity } from "./entities/task.ts";
import { TaskTagEntity } from "./entities/task-tag.ts";
import { TopicEntity } from "./entities/topic.ts";
import { CreateTopics1763712100000 } from "./migrations/1763712100000-create-topics.ts";
import { CreateTags1763722000000 } from "./migrations/1763722000000-create-tags.ts";

/** Catalog's part of the database. */
export const catalogSchema: Schema = {
  name: "catalog",
  entities: [TopicEntity, TaskEntity, TagEntity, TaskTagEntity, QuickstartEntity, outboxEntity("catalog")],
  migrations: [CreateTopics1763712100000, CreateTags1763722000000],
};
