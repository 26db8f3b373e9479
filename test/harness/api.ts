// A client of the API. Every answer is checked against /openapi.json: an undescribed answer
// fails its test.

import { type Contract, isFile, openContract } from "./contract.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any JSON and assert its shape
  readonly body: any;
}

export interface Sent {
  readonly headers?: Record<string, string | undefined>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Body sent unchanged, as application/json unless headers name another type. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

export class Api {
  readonly #baseUrl: string;
  readonly #credentials: Record<string, string>;
  readonly #contract: Contract;

  private constructor(baseUrl: string, credentials: Record<string, string>, contract: Contract) {
    this.#baseUrl = baseUrl;
    this.#credentials = credentials;
    this.#contract = contract;
  }

  static async open(baseUrl: string, applicationId: string, apiKey: string): Promise<Api> {
    const credentials = { "x-api-key": apiKey, "x-application-id": applicationId };
    return new Api(baseUrl, credentials, await openContract(baseUrl));
  }

  /** The same client with other credentials; undefined omits a header. */
  as(credentials: { apiKey?: string | undefined; applicationId?: string | undefined }): Api {
    const changed = {
      ...("apiKey" in credentials && { "x-api-key": credentials.apiKey }),
      ...("applicationId" in credentials && { "x-application-id": credentials.applicationId }),
    };
    return new Api(this.#baseUrl, defined({ ...this.#credentials, ...changed }), this.#contract);
  }

  get = (path: string, sent?: Sent) => this.send("GET", path, sent);
  delete = (path: string, sent?: Sent) => this.send("DELETE", path, sent);
  post = (path: string, json?: unknown) => this.send("POST", path, json === undefined ? {} : { json });

  async send(method: string, path: string, { headers = {}, json, raw }: Sent = {}): Promise<Answer> {
    const body = json === undefined ? raw : JSON.stringify(json);
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: defined({
        ...(body !== undefined && { "content-type": "application/json" }),
        ...this.#credentials,
        ...headers,
      }),
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isFile(response) ? text : text === "" ? undefined : JSON.parse(text),
    };
    this.#contract.check(method, path, answer);
    return answer;
  }
}

function defined(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
