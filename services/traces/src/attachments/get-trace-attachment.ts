import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { toTraceId } from "@ems/traces-client";
import type { Deps } from "../deps.ts";
import { safeMediaType } from "./media-types.ts";

type Handler = Handlers<typeof TraceService>["getTraceAttachment"];

const found = `SELECT a.content, a.media_type AS "mediaType" FROM traces.trace_attachment t
  JOIN traces.attachment a ON a.application_id = $1 AND a.hash = t.hash
  WHERE t.application_id = $1 AND t.trace_id = $2 AND t.hash = $3`;

/** Returns the content of an attachment of a trace. */
export function getTraceAttachment({ database }: Pick<Deps, "database">): Handler {
  return async ({ id, hash }, call) => {
    const values = [call.tenant.applicationId, toTraceId(id), hash.toLowerCase()];
    const statement = { name: "get-trace-attachment", text: found, values };
    const [row] = await database.read<{ content: Buffer; mediaType: string }>(call, statement);
    if (row === undefined) throw notFound("Attachment");
    return { payload: row.content, contentType: safeMediaType(row.content, row.mediaType) };
  };
}
