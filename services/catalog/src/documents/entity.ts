import {
  boolean,
  foreignKey,
  integer,
  jsonb,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  texts,
  timestamp,
  uuid,
  withDefault,
} from "@ems/kit/db/table";
import { rowVersions, versions } from "@ems/kit/db/version";

export type DocumentRow = Row<typeof DocumentEntity>;
export type DocumentVersionRow = Row<typeof DocumentVersionEntity>;

export const DocumentEntity = table(
  "catalog.document",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    topicId: nullable(uuid),
    assignee: nullable(text),
    scrapeJobId: nullable(text),
    /** Number of the active version; every document has exactly one. */
    activeVersion: integer,
    type: withDefault(oneOf("KNOWLEDGE", "POLICY"), "KNOWLEDGE"),
    /** Only ACTIVE documents are visible in the library. */
    status: withDefault(oneOf("DRAFT", "ACTIVE"), "ACTIVE"),
    isVerified: withDefault(boolean, false),
    optimized: withDefault(boolean, false),
    /** Upload that created the document. */
    fileProcessingId: nullable(uuid),
    quickstartId: nullable(uuid),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    indices: [
      { name: "document_created", columns: ["applicationId", "createdAt", "id"] },
      { name: "document_topic", columns: ["applicationId", "topicId"] },
      { name: "document_file", columns: ["applicationId", "fileProcessingId"] },
    ],
    foreignKeys: [
      foreignKey("document_topic_fkey", ["applicationId", "topicId"], "topic"),
      foreignKey("document_quickstart_fkey", ["applicationId", "quickstartId"], "quickstart"),
      {
        ...foreignKey("document_active_version_fkey", ["applicationId", "id", "activeVersion"], "document_version", [
          "applicationId",
          "documentId",
          "versionNumber",
        ]),
        deferrable: "INITIALLY DEFERRED",
      },
    ],
  },
);

export const DocumentVersionEntity = table(
  "catalog.document_version",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    documentId: uuid,
    versionNumber: integer,
    title: text,
    content: text,
    status: oneOf("DRAFT", "REVIEW", "APPROVED", "ARCHIVED", "ACTIVE"),
    language: text,
    metadata: jsonb<object>(),
    originalSentences: texts,
    /** Size of the version's message in bytes. */
    sizeBytes: integer,
    /** Number of chunks into which the content is split. */
    chunkCount: integer,
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    uniques: [{ name: "document_version_number_key", columns: ["applicationId", "documentId", "versionNumber"] }],
    checks: [{ name: "document_version_number_check", expression: "version_number >= 1" }],
    foreignKeys: [
      {
        ...foreignKey("document_version_document_fkey", ["applicationId", "documentId"], "document"),
        onDelete: "CASCADE",
      },
    ],
  },
);

/** Computes the ETag of one version of a document. */
export const versionEtags = rowVersions(DocumentVersionEntity);

const documentEtags = rowVersions(DocumentEntity);

interface WholeDocument {
  readonly document: DocumentRow;
  /** All versions of the document, in any order. */
  readonly versions: readonly DocumentVersionRow[];
}

/** Computes the ETag of a document together with all of its versions. */
export const wholeDocumentEtags = versions<WholeDocument>(({ document, versions: all }) => [
  documentEtags.etag(document),
  ...all.map((version) => versionEtags.etag(version)).toSorted(),
]);

export const DocumentTagEntity = table(
  "catalog.document_tag",
  { applicationId: uuid, documentId: uuid, tagId: uuid },
  {
    primaryKey: ["applicationId", "documentId", "tagId"],
    indices: [{ name: "document_tag_tag", columns: ["applicationId", "tagId"] }],
    foreignKeys: [
      { ...foreignKey("document_tag_document_fkey", ["applicationId", "documentId"], "document"), onDelete: "CASCADE" },
      foreignKey("document_tag_tag_fkey", ["applicationId", "tagId"], "tag"),
    ],
  },
);
