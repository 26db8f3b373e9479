import { defineList, listPage } from "@ems/kit/db/list";
import type { Row } from "@ems/kit/db/table";
import { buildMessage } from "@ems/kit/message";
import type { Handlers } from "@ems/kit/rpc/service";
import { ApiKeyOrderSchema, type ApiKeyService, ListedApiKeySchema } from "@ems/proto/identity/v1/api_key_service";
import type { Deps } from "../deps.ts";
import { ApiKeyEntity } from "./entity.ts";

const columns = `api_key.id, api_key.name, api_key.created_at AS "createdAt", api_key.last_used_at AS "lastUsedAt",
  api_key.display_prefix AS prefix, api_key.scopes, api_key.expires_at AS "expiresAt"`;

interface ListedKeyRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly prefix: string;
  readonly scopes: string[];
  readonly expiresAt: Date | null;
}

const list = defineList<Row<typeof ApiKeyEntity>, ListedKeyRow>(ApiKeyEntity, {
  alias: "api_key",
  orderBy: ApiKeyOrderSchema,
  columns,
});

/** Lists the application's keys without plaintexts and digests. */
export function listApiKeys({ database }: Deps): Handlers<typeof ApiKeyService>["listApiKeys"] {
  return async (request, call) => {
    const { rows, pagination } = await listPage(database, call, list, request);
    return { data: rows.map((row) => buildMessage(ListedApiKeySchema, row)), pagination };
  };
}
