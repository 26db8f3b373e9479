import { enumName } from "@ems/kit/enum";
import { invalidField, invalidFields } from "@ems/kit/errors";
import { jsonDepthMax } from "@ems/kit/json/issue-messages";
import { readValidated } from "@ems/kit/json/read-validated";
import { readJsonText, UnreadableText } from "@ems/kit/readers";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  type DocumentService,
  DocumentType,
  DocumentTypeSchema,
  type UploadDocumentsForm,
  UploadDocumentsFormSchema,
} from "@ems/proto/catalog/v1/document_service";
import { bodyBytesMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { newResource } from "../new-resource.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { type DocumentText, type FormFields, readUpload } from "../uploads/index.ts";
import { DocumentEntity, type DocumentRow, DocumentVersionEntity } from "./entity.ts";
import { document } from "./messages.ts";
import { newVersion } from "./new-version.ts";

type Form = UploadDocumentsForm & { readonly fileNames: readonly string[] };

/** Limits for a form's metadata, whose field has a limited length. */
const metadataLimits = { values: 10_000, depth: jsonDepthMax, bytes: bodyBytesMax };

/** Creates DRAFT documents with DRAFT versions from files. */
export function uploadDocuments({ database, ...deps }: Deps): Handlers<typeof DocumentService>["uploadDocuments"] {
  return async ({ payload, contentType }, call) => {
    const read = () => readUpload(call, { payload, contentType }, acceptedForm);
    const change = database.changeAfter(call, read, async (tx, { accepted, documents, files, replacedCharacters }) => {
      const fileProcessingId = deps.newId();
      const made = documents.map((texts) => newDocument(deps, call, texts, { ...accepted, fileProcessingId }));
      const rows = made.map(({ row }) => row);
      const versions = made.map(({ version }) => version);
      await tx.insert(DocumentEntity, rows);
      await tx.insert(DocumentVersionEntity, versions);
      const data = made.map(({ row, version }) => document(row, [version], [], call));
      return { data, fileProcessingId, replacedCharacters: BigInt(replacedCharacters), files: [...files] };
    });
    return change.catch(rethrowMissingReference);
  };
}

function newDocument(
  deps: Pick<Deps, "clock" | "newId">,
  call: Call,
  texts: DocumentText,
  {
    fileProcessingId,
    topicId,
    quickstartId,
    documentType,
    metadata = {},
  }: Form & { readonly fileProcessingId: string },
) {
  const row: DocumentRow = {
    ...newResource(deps, call),
    fileProcessingId,
    scrapeJobId: null,
    assignee: call.tenant.userId,
    topicId: topicId ?? null,
    quickstartId: quickstartId ?? null,
    type: enumName<DocumentRow["type"]>(DocumentTypeSchema, documentType ?? DocumentType.KNOWLEDGE),
    status: "DRAFT",
    isVerified: false,
    optimized: false,
    activeVersion: 1,
  };
  const content = { ...texts, status: "DRAFT" as const, language: "en", metadata, originalSentences: [] };
  return { row, version: newVersion(row, content, { id: deps.newId(), versionNumber: 1 }) };
}

/** Returns the validated fields of the form; each field may occur only once. */
function acceptedForm({ fields, fileNames }: FormFields): Form {
  const { metadata, ...texts } = fields;
  const { message, issues, omitted } = readValidated(
    UploadDocumentsFormSchema,
    metadata === undefined ? {} : { metadata: readMetadata(metadata) },
    { text: texts },
  );
  if (issues.length > 0) throw invalidFields(issues, omitted);
  if (message.fileName === undefined) return { ...message, fileNames };
  if (fileNames.length > 1) throw invalidField(["file_name"], "Omit fileName: the form has several files");
  return { ...message, fileNames: [message.fileName] };
}

function readMetadata([text = ""]: readonly string[]): unknown {
  try {
    return readJsonText(text, metadataLimits);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    throw invalidField(["metadata"], error.reason === "LIMIT" ? error.message : "Expected a JSON object");
  }
}
