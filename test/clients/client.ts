// A client like those of hosted products: it checks answers by its own types, and does not use /openapi.json.

import { inject } from "vitest";
import { newTenant } from "../harness/tenant.ts";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** Query with one value, several values or none (`name=`) per name. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

export interface Sent {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Client {
  readonly applicationId: string;
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
}

export async function newClient(): Promise<Client> {
  const { baseUrl } = inject("product");
  const { applicationId, apiKey } = await newTenant();
  const credentials = { "x-api-key": apiKey, "x-application-id": applicationId };
  return {
    applicationId,
    async send(method, path, { query = {}, body, headers = {} } = {}) {
      const url = new URL(baseUrl + path);
      for (const [name, values] of Object.entries(query)) {
        for (const value of [values].flat()) url.searchParams.append(name, value);
      }
      // Methods that may have a body always send a content type.
      const hasType = ["POST", "PUT", "PATCH"].includes(method);
      const answer = await fetch(url, {
        method,
        headers: { ...credentials, accept: "*/*", ...(hasType && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === "" ? undefined : JSON.parse(text), headers: answer.headers };
    },
  };
}
