// Redaction of an application's texts by its rules, which traces owns and this process caches for seconds.

import type { Client } from "@connectrpc/connect";
import type { Clock } from "@ems/kit/clock";
import { enumName } from "@ems/kit/enum";
import { type BuiltInName, type Redactor, RedactorCache } from "@ems/kit/redaction";
import { createTenantContext } from "@ems/kit/rpc/call";
import { BuiltInPatternSchema, type IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";

type Settings = Pick<Client<typeof IngestSettingsService>, "getIngestSettings">;

const timeoutMs = 10_000;

export class Redactors {
  readonly #settings: Settings;
  readonly #cache: RedactorCache;

  constructor(settings: Settings, clock: Clock) {
    this.#settings = settings;
    this.#cache = new RedactorCache(clock);
  }

  /**
   * Returns undefined for an application without rules. Throws if traces does not respond: nothing may be stored
   * unredacted.
   */
  of(tenant: {
    readonly applicationId: string;
    readonly orgId: string;
  }): Redactor | undefined | Promise<Redactor | undefined> {
    const { applicationId, orgId } = tenant;
    return this.#cache.of(applicationId, async () => {
      const contextValues = createTenantContext({ applicationId, orgId, userId: "", isBackground: true });
      const { data } = await this.#settings.getIngestSettings({}, { contextValues, timeoutMs });
      const rules = (data?.redactions ?? []).flatMap(({ enabled, replacement, pattern, builtIn }) =>
        enabled ? [{ replacement, pattern, builtIn: enumName<BuiltInName>(BuiltInPatternSchema, builtIn) }] : [],
      );
      return { version: JSON.stringify(rules), rules };
    });
  }
}
