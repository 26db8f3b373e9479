// Operations of the document, in the form that generators need.

import type { Document } from "../harness/contract.ts";

/** The part of JSON Schema that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly not?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly contentEncoding?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  /** Messages of issues that no keyword of the schema implies. */
  readonly "x-rules"?: readonly string[];
  /** True if an invalid element of the list is reported without refusing the request. */
  readonly "x-tolerant"?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Operation {
  /** Method and path, such as `GET /v0/topics/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: Schema;
  readonly bodyExample?: unknown;
  readonly isBodyRequired: boolean;
  readonly statuses: readonly number[];
  /** Messages of issues that depend on parameters. */
  readonly rules: readonly string[];
  /** True if the service applies rules that neither schema nor document can express. */
  readonly isJudged: boolean;
}

interface RawOperation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly "x-judged"?: boolean;
  readonly "x-rules"?: readonly string[];
}

/** Lists the operations without a body, or with a body in JSON. */
export function getOperations(document: Document): Operation[] {
  const isJson = ({ requestBody }: RawOperation) =>
    requestBody === undefined || "application/json" in requestBody.content;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, raw]) => isJson(raw as RawOperation))
      .map(([method, raw]) => getOperation(document, path, method, raw as RawOperation)),
  );
}

function getOperation(document: Document, path: string, method: string, raw: RawOperation): Operation {
  const { parameters = [], requestBody, responses } = raw;
  const content = requestBody?.content["application/json"];
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    parameters: parameters.map((each) => ("$ref" in each ? (resolve(document, each.$ref) as Parameter) : each)),
    ...(content !== undefined && { body: content.schema, bodyExample: content.example }),
    isBodyRequired: requestBody?.required === true,
    statuses: Object.keys(responses).map(Number),
    rules: raw["x-rules"] ?? [],
    isJudged: raw["x-judged"] === true,
  };
}

/** Resolves a reference such as `#/components/schemas/Topic`. */
export function resolve(document: Document, ref: string): unknown {
  return ref
    .slice(2)
    .split("/")
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
}

export function getSchema(document: Document, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (resolve(document, schema.$ref) as Schema);
}

/** Returns the messages of all rules that apply to an operation's request. */
export function getRules(document: Document, { body, parameters, rules: ofOperation }: Operation): Set<string> {
  const rules = new Set<string>(ofOperation);
  const seen = new Set<Schema>();
  const visit = (schema: Schema) => {
    const found = getSchema(document, schema);
    if (seen.has(found)) return;
    seen.add(found);
    for (const rule of found["x-rules"] ?? []) rules.add(rule);
    const { additionalProperties: more, items, properties = {}, anyOf = [] } = found;
    for (const each of [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]) visit(each);
    if (typeof more === "object") visit(more);
  };
  for (const schema of [...parameters.map((each) => each.schema), ...(body ? [body] : [])]) visit(schema);
  return rules;
}
