// Checks the product's answers against its own API description.

import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Answer } from "./api.ts";

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly unknown[];
  readonly requestBody?: Pick<Response, "content">;
  readonly responses: Record<string, Response | { $ref: string }>;
}

interface Response {
  readonly content?: Record<string, { schema: object }>;
  readonly headers?: Record<string, unknown>;
}

export interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, unknown>>;
}

export interface Contract {
  readonly document: Document;
  /** Throws unless the document describes this answer to this request. */
  check(method: string, path: string, answer: Answer): void;
}

const opened = new Map<string, Promise<Contract>>();

/** The contract of the product at `baseUrl`, read once. */
export function openContract(baseUrl: string): Promise<Contract> {
  const contract = opened.get(baseUrl) ?? readContract(baseUrl);
  opened.set(baseUrl, contract);
  return contract;
}

async function readContract(baseUrl: string): Promise<Contract> {
  // test/api/reference.test.ts checks that the response is valid OpenAPI.
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: "openapi", ...document });
  const validators = new Map<string, ReturnType<Ajv2020["compile"]>>();
  // A path without parameters precedes a template that also matches it, such as `/v0/documents/chunked`.
  const paths = Object.entries(document.paths).toSorted(
    ([a], [b]) => Number(a.includes("{")) - Number(b.includes("{")),
  );
  const routes = paths.map(([template, operations]) => ({
    template,
    operations,
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));

  return {
    document,
    check(method, path, { status, headers, body }) {
      const [pathname = ""] = path.split("?");
      const route = routes.find(
        ({ pattern, operations }) => pattern.test(pathname) && operations[method.toLowerCase()],
      );
      if (route === undefined) return;
      const where = `${method} ${route.template} → ${status}`;
      const operation = `/paths/${escaped(route.template)}/${method.toLowerCase()}`;
      const found = route.operations[method.toLowerCase()]?.responses[status];
      if (found === undefined) throw new Error(`${where} is not in the API reference: ${JSON.stringify(body)}`);
      const at = "$ref" in found ? found.$ref.slice(1) : `${operation}/responses/${status}`;
      const response =
        "$ref" in found ? (document.components.responses?.[at.split("/").at(-1) ?? ""] as Response) : found;
      if (headers.get("x-request-id") === null) throw new Error(`${where} has no x-request-id`);
      if (response.headers?.etag !== undefined && headers.get("etag") === null && status !== 412)
        throw new Error(`${where} has no ETag`);
      if (response.content === undefined) {
        if (body !== undefined) throw new Error(`${where} has a body that the API reference does not describe`);
        return;
      }
      const type = isFile({ headers }) ? linesType : "application/json";
      const pointer = `openapi#${at}/content/${escaped(type)}/schema`;
      const validate = validators.get(pointer) ?? ajv.compile({ $ref: pointer });
      validators.set(pointer, validate);
      if (!validate(body)) {
        throw new Error(
          `${where} is not as the API reference says: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
        );
      }
    },
  };
}

const linesType = "application/x-ndjson";

/** True for a response that is a stream of lines, or a Parquet file. */
export function isFile({ headers }: { readonly headers: Headers }): boolean {
  return /^application\/(x-ndjson|vnd\.apache\.parquet)/.test(headers.get("content-type") ?? "");
}

function escaped(token: string): string {
  return encodeURIComponent(token.replaceAll("~", "~0").replaceAll("/", "~1"));
}
