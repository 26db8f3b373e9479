import { pagination, parsePage } from "@ems/kit/db/page";
import { enumNames } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { type DocumentService, DocumentStatusSchema } from "@ems/proto/catalog/v1/document_service";
import { splitChunks } from "../chunks.ts";
import type { Deps } from "../deps.ts";
import { activeDocuments } from "./queries.ts";

/**
 * Selects the versions with chunks on the page, and for each the number of chunks before it. Does not read the texts of
 * other versions.
 */
const chunkedVersions = (from: string, where: string) => `WITH matching AS MATERIALIZED (
    SELECT version.id, version.chunk_count, sum(version.chunk_count)
      OVER (ORDER BY version.document_id, version.version_number) - version.chunk_count AS ahead
    FROM ${from} WHERE version.application_id = $1 AND ($4::text[] IS NULL OR version.status = ANY ($4)) AND ${where}
  )
  SELECT matching.ahead::int, total.chunks::int AS total, version.id, version.document_id AS "documentId", version.title,
    version.content
  FROM (SELECT coalesce(sum(chunk_count), 0) AS chunks FROM matching) total
  LEFT JOIN (matching JOIN catalog.document_version version ON version.application_id = $1 AND version.id = matching.id)
    ON matching.ahead < $2::bigint + $3::int AND matching.ahead + matching.chunk_count > $2::bigint
  ORDER BY matching.ahead`;

const active = chunkedVersions(activeDocuments, "($5::uuid IS NULL OR version.document_id = $5)");
const byVersion = chunkedVersions(
  "catalog.document_version version",
  "($5::uuid IS NULL OR version.document_id = $5) AND version.id = $6",
);

interface ChunkedRow {
  readonly ahead: number;
  /** Id of the version; null if the page is empty. */
  readonly id: string | null;
  readonly documentId: string;
  readonly title: string;
  readonly content: string;
  readonly total: number;
}

/**
 * Lists chunks, which are computed from the stored texts. Their number is stored, so that a page reads only the texts
 * that it needs.
 */
export function listDocumentChunks({ database }: Deps): Handlers<typeof DocumentService>["listDocumentChunks"] {
  return async (request, call) => {
    const page = parsePage(request, { columns: { id: "id" } });
    const { documentId = null, versionId } = request;
    const status = enumNames(DocumentStatusSchema, request.status);
    const values = [call.tenant.applicationId, page.skip, page.limit, status, documentId];
    const statement =
      versionId === undefined ? { text: active, values } : { text: byVersion, values: [...values, versionId] };
    const rows = await database.runExpensive(call, () => database.read<ChunkedRow>(call, statement));
    const data = rows
      .filter(({ id }) => id !== null)
      .flatMap((row) => chunksOfPage(row, Number(page.skip), page.limit));
    return { data, pagination: pagination(page, rows[0]?.total ?? 0) };
  };
}

/** Returns those chunks of the version that are on the page. */
function chunksOfPage({ ahead, id, documentId, title, content }: ChunkedRow, skip: number, limit: number) {
  const first = Math.max(0, skip - ahead);
  const chunks = splitChunks({ title, content }).slice(first, skip + limit - ahead);
  return chunks.map((chunk, index) => {
    return { ...chunk, chunkIndex: first + index, documentId, documentName: title, versionId: id ?? "" };
  });
}
