// Checks that use the public API.

import { ApiClient } from "../api.ts";
import { type Check, failure, ok, warning } from "./check.ts";

/** Limits of the clock difference. Webhook receivers reject timestamps that are more than five minutes off. */
const [skewWarnMs, skewFailMs] = [5_000, 60_000];

export interface ApiFacts {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly applicationId: string | undefined;
}

export function apiChecks({ baseUrl, apiKey, applicationId }: ApiFacts): Check[] {
  return [
    {
      name: "API",
      async run() {
        const startMs = Date.now();
        const response = await fetch(`${baseUrl}/livez`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
        const advice = "Start the product (npm start), or set EMS_URL (--url) to its address.";
        if (response === undefined) return failure(`${baseUrl} cannot be reached`, advice);
        await response.arrayBuffer();
        if (!response.ok) return failure(`${baseUrl} responds with ${response.status}`, advice);
        return ok(`${baseUrl} responds within ${Date.now() - startMs} ms`);
      },
    },
    {
      name: "clock",
      async run() {
        const response = await fetch(baseUrl, { method: "HEAD", signal: AbortSignal.timeout(5_000) });
        const skewMs = Math.abs(Date.now() - Date.parse(response.headers.get("date") ?? ""));
        if (Number.isNaN(skewMs))
          return warning("the response has no Date header", "Configure the proxy to keep the Date header.");
        const detail = `the API's clock and this one are ${Math.round(skewMs / 1_000)} s apart`;
        const advice = "Synchronize both clocks (NTP): webhook signatures are rejected when clocks differ.";
        if (skewMs > skewFailMs) return failure(detail, advice);
        return skewMs > skewWarnMs ? warning(detail, advice) : ok(detail);
      },
    },
    {
      name: "API key",
      async run() {
        if (!apiKey || !applicationId) {
          return warning("not checked", "Set EMS_API_KEY and EMS_APPLICATION_ID; ems bootstrap creates both.");
        }
        const { status } = await new ApiClient({ baseUrl, apiKey, applicationId }).request("GET", "/v0/app-config");
        if (status === 200) return ok("the API accepts it");
        if (status === 401)
          return failure("unknown to the API", "Create another one: ems bootstrap, or ems keys create.");
        if (status === 403)
          return failure("it belongs to another application", "Set EMS_APPLICATION_ID to the application of the key.");
        return failure(`the API responds with ${status}`, "See the log of the gateway.");
      },
    },
  ];
}
