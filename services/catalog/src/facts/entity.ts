import {
  boolean,
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

export type FactRow = Row<typeof FactEntity>;

export const FactEntity = table(
  "catalog.fact",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    statement: text,
    scope: oneOf("TOPIC", "APPLICATION"),
    status: oneOf("DRAFT", "ACTIVE"),
    sourceQuote: nullable(text),
    sourceDocumentId: nullable(uuid),
    quickstartId: nullable(uuid),
    generatedBy: nullable(text),
    isVerified: withDefault(boolean, false),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    indices: [
      { name: "fact_created", columns: ["applicationId", "createdAt", "id"] },
      { name: "fact_scope", columns: ["applicationId", "scope", "status", "createdAt", "id"] },
      { name: "fact_document", columns: ["applicationId", "sourceDocumentId"] },
      { name: "fact_quickstart", columns: ["applicationId", "quickstartId"] },
    ],
    foreignKeys: [
      foreignKey("fact_document_fkey", ["applicationId", "sourceDocumentId"], "document"),
      foreignKey("fact_quickstart_fkey", ["applicationId", "quickstartId"], "quickstart"),
    ],
  },
);

/** Links between facts and topics. */
export const FactTopicEntity = table(
  "catalog.fact_topic",
  { applicationId: uuid, factId: uuid, topicId: uuid },
  {
    primaryKey: ["applicationId", "factId", "topicId"],
    indices: [{ name: "fact_topic_topic", columns: ["applicationId", "topicId", "factId"] }],
    foreignKeys: [
      foreignKey("fact_topic_fact_fkey", ["applicationId", "factId"], "fact"),
      foreignKey("fact_topic_topic_fkey", ["applicationId", "topicId"], "topic"),
    ],
  },
);
