// One operation of the document: what its RPC's comment, request and answer say.

import type { DescField, JsonObject } from "@bufbuild/protobuf";
import type { Route } from "../rest/routes.ts";
import type { Components } from "./components.ts";
import { errorResponses, requestIdHeader } from "./errors.ts";
import { exampleId, exampleOf } from "./examples.ts";
import { described, fieldText, messageText, methodText, serviceTag } from "./prose.ts";
import { parameterSchema, requestSchema, requiredFields, responseSchema } from "./schema.ts";

export function operation(route: Route, components: Components): JsonObject {
  const { method, service } = route;
  const { summary, description } = methodText(method);
  const parameters = parametersOf(route, components);
  return {
    operationId: method.localName,
    tags: [serviceTag(service).name],
    summary,
    ...described(description),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(route) && { requestBody: requestBody(route, components) }),
    responses: { [route.successStatus]: success(route, components), ...errorResponses(route) },
  };
}

/** Whether there is anything that a body could say. */
function hasBody({ bodyMode, method, pathFields }: Route): boolean {
  if (bodyMode === "field") return true;
  return bodyMode === "all" && method.input.fields.length > pathFields.length;
}

function parametersOf({ method, pathFields, queryFields }: Route, components: Components): JsonObject[] {
  const required = requiredFields(method.input);
  const parameter = (field: DescField, more: JsonObject) => ({
    name: field.jsonName,
    ...more,
    ...described(fieldText(field)),
    schema: parameterSchema(components, field),
  });
  const noun = method.parent.name.replace(/Service$/, "");
  return [
    ...pathFields.map((field) => ({
      ...parameter(field, { in: "path", required: true }),
      ...(field.name.endsWith("id") && { example: exampleId(field.jsonName, noun) }),
    })),
    ...queryFields.map((field) =>
      parameter(field, {
        in: "query",
        ...(required.has(field) && { required: true }),
        ...(field.fieldKind === "list" && { style: "form", explode: true }),
      }),
    ),
  ];
}

function requestBody({ method: { input }, pathFields, bodyField }: Route, components: Components): JsonObject {
  const required = requiredFields(input);
  if (bodyField !== undefined) {
    const schema = { ...parameterSchema(components, bodyField), ...described(fieldText(bodyField)) };
    // No bytes are an empty object, with which any message can begin.
    return { content: { "application/json": { schema, example: exampleOf(schema, components, bodyField) } } };
  }
  const schema = requestSchema(components, input, pathFields);
  return {
    required: input.fields.some((field) => required.has(field) && !pathFields.includes(field)),
    content: { "application/json": { schema, example: exampleOf(schema, components) } },
  };
}

function success({ method: { output }, successStatus }: Route, components: Components): JsonObject {
  const response = { description: messageText(output), headers: requestIdHeader };
  if (successStatus === 204) return response;
  const schema = responseSchema(components, output);
  return { ...response, content: { "application/json": { schema, example: exampleOf(schema, components) } } };
}
