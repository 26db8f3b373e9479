import { insertStatement } from "@ems/kit/db/insert";
import type { Transaction } from "@ems/kit/db/transaction";
import { invalidField, unavailable } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { newWebhookSecret } from "../deliveries/index.ts";
import type { Deps } from "../deps.ts";
import type { SecretBox } from "../secret-box.ts";
import { WebhookEntity, type WebhookRow } from "./entity.ts";
import { webhook, webhookChanged } from "./messages.ts";
import { replayWebhook } from "./queries.ts";
import { type Headers, openHeaders, sealHeaders, sealSecret } from "./secrets.ts";

type Handler = Handlers<typeof WebhookService>["setWebhook"];

/** Creates or changes the application's webhook. If nothing changes, nothing is written or published. */
export function setWebhook({ database, publish, clock, newId, random, secrets, hosts, invalidate }: Deps): Handler {
  return async ({ url, headers }, call) => {
    // Runs before the transaction, so that no row stays locked during DNS look-ups.
    await requirePublicHost(hosts, url);
    const { applicationId, orgId } = call.tenant;
    const now = clock.now();
    const first: WebhookRow = {
      applicationId,
      id: newId(),
      orgId,
      url,
      secret: sealSecret(secrets, applicationId, newWebhookSecret(random)),
      previousSecret: null,
      previousSecretUntil: null,
      ...sealHeaders(secrets, applicationId, headers?.values ?? {}),
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      failureStreak: 0,
      createdAt: now,
      modifiedAt: now,
    };
    const set = async (tx: Transaction) => {
      const found = await insertOrLock(tx, first);
      const isNew = found.id === first.id;
      const change = findChanges(found, url, headers?.values, secrets);
      if (!isNew && change === undefined) return { data: webhook(found, secrets) };
      const row = { ...found, ...change, modifiedAt: now };
      if (!isNew) await tx.update(WebhookEntity, { applicationId }, row);
      await publish(tx, call.tenant, { case: "webhookUpdated", value: webhookChanged(row) });
      return { data: webhook(row, secrets) };
    };
    const answer = await database.change(call, set, replayWebhook(call, secrets));
    invalidate(applicationId);
    return answer;
  };
}

/**
 * Inserts `first`, or locks and returns the existing row. Only one of several concurrent calls inserts; on conflict,
 * the update changes nothing.
 */
async function insertOrLock(tx: Transaction, first: WebhookRow): Promise<WebhookRow> {
  const { text, values } = insertStatement(WebhookEntity, [first]);
  await tx.query(`${text} ON CONFLICT (application_id) DO UPDATE SET org_id = excluded.org_id`, values);
  return tx.getOne(WebhookEntity, { applicationId: first.applicationId });
}

async function requirePublicHost(hosts: Deps["hosts"], url: string): Promise<void> {
  const result = await hosts.checkUrl(url);
  if (result.ok) return;
  if (result.reason === "resolver") throw unavailable("Names cannot be resolved at the moment");
  throw invalidField(["url"], "must be https and resolve to a public host");
}

/** Returns the columns that change; undefined if none do. A change enables the webhook and resets its failures. */
function findChanges(
  row: WebhookRow,
  url: string,
  headers: Headers | undefined,
  secrets: SecretBox,
): Partial<WebhookRow> | undefined {
  const areHeadersNew = headers !== undefined && sorted(headers) !== sorted(openHeaders(secrets, row));
  if (url === row.url && !areHeadersNew && row.disabledAt === null) return undefined;
  const change = { url, disabledAt: null, disabledReason: null, failingSince: null, failureStreak: 0 };
  return areHeadersNew ? { ...change, ...sealHeaders(secrets, row.applicationId, headers) } : change;
}

function sorted(headers: Headers): string {
  return JSON.stringify(Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1)));
}
