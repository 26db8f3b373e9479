// API requests as plain values, which the console sends, uses as query keys and displays as curl commands.

import {
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
  type ParamsOption,
  type RequestBodyOption,
} from "openapi-fetch";
import type { HttpMethod, PathsWithMethod, RequiredKeysOf, SuccessResponseJSON } from "openapi-typescript-helpers";
import type { components, paths } from "../../gen/api.d.ts";

/** Schemas of the API contract, by name. */
export type Schemas = components["schemas"];

export interface Parameters {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

export interface ApiRequest<Data = unknown> {
  readonly method: HttpMethod;
  /** Path template as in the API reference: `/v0/topics/{id}`. */
  readonly path: string;
  readonly params?: Parameters;
  readonly body?: unknown;
  /** Only defines the response's type for the compiler. Never set at run time. */
  readonly response?: Data;
  readonly isConditional?: false;
  /** True if the answer is the `Location` of the new resource. */
  readonly isLocated?: true;
}

/** Update of one resource, which `replace()` sends with the ETag of the version that the page has read. */
export interface ConditionalRequest<Data = unknown> extends Omit<ApiRequest<Data>, "isConditional"> {
  readonly isConditional: true;
}

export type AnyRequest = ApiRequest | ConditionalRequest;

type Options<Operation> = ParamsOption<Operation> & RequestBodyOption<Operation>;
type Arguments<Init> = RequiredKeysOf<Init> extends never ? [init?: Init] : [init: Init];
type ResponseData<Operation> =
  Operation extends Record<string | number, unknown> ? SuccessResponseJSON<Operation> : never;

const maker =
  <Method extends HttpMethod>(method: Method) =>
  <Path extends PathsWithMethod<paths, Method>>(
    path: Path,
    ...[init]: Arguments<Options<paths[Path][Method]>>
  ): ApiRequest<ResponseData<paths[Path][Method]>> => ({ method, path, ...(init as object | undefined) });

export const get = maker("get");
export const post = maker("post");
export const del = maker("delete");

const changer =
  <Method extends "put" | "patch">(method: Method) =>
  <Path extends PathsWithMethod<paths, Method>>(
    path: Path,
    ...[init]: Arguments<Options<paths[Path][Method]>>
  ): ConditionalRequest<ResponseData<paths[Path][Method]>> => ({
    method,
    path,
    isConditional: true,
    ...(init as object | undefined),
  });

export const put = changer("put");
export const patch = changer("patch");

/**
 * Marks an update that needs no ETag, because it changes many resources or only a flag. `test/house` lists such paths.
 */
export const unconditional = <Data>(request: ConditionalRequest<Data>): ApiRequest<Data> => ({
  ...request,
  isConditional: false,
});

/** Makes the new resource's `Location` the answer of a request. */
export function located({ response: _, ...request }: ApiRequest): ApiRequest<string> {
  return { ...request, isLocated: true };
}

const querySerializer = createQuerySerializer({ array: { style: "form", explode: true } });

/** Returns the URL with path and query parameters. */
export function toUrl({ path, params = {} }: AnyRequest, baseUrl = ""): string {
  const present = Object.entries(params.query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return createFinalURL(path, {
    baseUrl,
    params: { path: { ...params.path }, query: Object.fromEntries(present) },
    querySerializer,
    pathSerializer: defaultPathSerializer,
  });
}
