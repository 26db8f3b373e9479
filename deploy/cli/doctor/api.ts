// What can be seen of a product from outside.

import { ApiClient } from "../api.ts";
import { type Check, failure, fine, warning } from "./check.ts";

/** Receivers of webhooks refuse what is five minutes off; certificates and keys have their own idea. */
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
        const response = await fetch(`${baseUrl}/openapi.json`, { signal: AbortSignal.timeout(5_000) }).catch(
          () => undefined,
        );
        const advice = "Start it (npm start), or set EMS_URL (--url) to where it listens.";
        if (response === undefined) return failure(`${baseUrl} cannot be reached`, advice);
        await response.arrayBuffer();
        if (!response.ok) return failure(`${baseUrl} answers ${response.status}`, advice);
        return fine(`${baseUrl} answers within ${Date.now() - startMs} ms`);
      },
    },
    {
      name: "clock",
      async run() {
        const response = await fetch(baseUrl, { method: "HEAD", signal: AbortSignal.timeout(5_000) });
        const skewMs = Math.abs(Date.now() - Date.parse(response.headers.get("date") ?? ""));
        if (Number.isNaN(skewMs)) return warning("the API tells no time", "Let no proxy take the header Date away.");
        const detail = `the API's clock and this one are ${Math.round(skewMs / 1_000)} s apart`;
        const advice = "Let both machines keep time (NTP): signatures of webhooks are refused when clocks differ.";
        if (skewMs > skewFailMs) return failure(detail, advice);
        return skewMs > skewWarnMs ? warning(detail, advice) : fine(detail);
      },
    },
    {
      name: "API key",
      async run() {
        if (!apiKey || !applicationId) {
          return warning("not checked", "Set EMS_API_KEY and EMS_APPLICATION_ID; ems bootstrap makes them.");
        }
        const { status } = await new ApiClient({ baseUrl, apiKey, applicationId }).ask("GET", "/v0/app-config");
        if (status === 200) return fine("the API takes it");
        if (status === 401) return failure("nobody knows it", "Make another one: ems bootstrap, or ems keys create.");
        if (status === 403)
          return failure("it belongs to another application", "Set EMS_APPLICATION_ID to the key's own.");
        return failure(`the API answers ${status}`, "Look into the log of the gateway.");
      },
    },
  ];
}
