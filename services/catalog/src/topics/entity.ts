import {
  boolean,
  double,
  foreignKey,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
} from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

export type TopicRow = Row<typeof TopicEntity>;

export const TopicEntity = table(
  "catalog.topic",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    title: text,
    baseline: nullable(double),
    status: oneOf("DRAFT", "ACTIVE", "ARCHIVED"),
    isInScope: withDefault(boolean, true),
    isTasksVerified: withDefault(boolean, false),
    isDocumentsVerified: withDefault(boolean, false),
    isKnowledgeBaseVerified: withDefault(boolean, false),
    isPoliciesVerified: withDefault(boolean, false),
    assignedTo: nullable(text),
    quickstartId: nullable(uuid),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    indices: [{ name: "topic_created", columns: ["applicationId", "createdAt", "id"] }],
    foreignKeys: [foreignKey("topic_quickstart_fkey", ["applicationId", "quickstartId"], "quickstart")],
  },
);

export const topicVersions = rowVersions(TopicEntity);
