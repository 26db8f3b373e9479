// Definitions of type OUTPUT_MATCH that an import needs: existing ones with the same name and settings, or new ones.

import { isDeepStrictEqual } from "node:util";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";

import type { Call } from "@ems/kit/rpc/call";
import { GlobalConfigSchema } from "@ems/proto/catalog/v1/eval_definition";
import type { Deps } from "../deps.ts";
import { newResource } from "../new-resource.ts";
import type { EvalDefinitionRow } from "./entity.ts";
import { configColumns } from "./global-config.ts";
import { patternFault } from "./patterns.ts";

export interface DefinitionSpec {
  readonly name: string;
  /** Settings, as JSON of GlobalConfig. */
  readonly config: JsonObject;
}

export type FoundDefinition = Pick<EvalDefinitionRow, "id" | "name" | "comparison">;

/** Returns the error in the pattern of the settings; undefined if there is none. */
export function specFault({ config }: DefinitionSpec): string | undefined {
  return patternFault(fromJson(GlobalConfigSchema, config))?.message;
}

/** Builds the statement that finds candidates for the specs, oldest first. */
export function similarDefinitions(call: Call, specs: readonly DefinitionSpec[]) {
  const text = `SELECT id, name, comparison FROM catalog.eval_definition
    WHERE application_id = $1 AND type = 'OUTPUT_MATCH' AND status = 'ACTIVE' AND name = ANY ($2::text[])
    ORDER BY created_at, id`;
  return { name: "similar-definitions", text, values: [call.tenant.applicationId, specs.map(({ name }) => name)] };
}

/** Returns the id of each spec's definition, and the rows to create for those that do not exist. */
export function resolveDefinitions<Spec extends DefinitionSpec>(
  deps: Pick<Deps, "clock" | "newId">,
  call: Call,
  specs: readonly Spec[],
  found: readonly FoundDefinition[],
): { idBySpec: ReadonlyMap<Spec, string>; created: ReadonlyMap<Spec, EvalDefinitionRow> } {
  const byName = Map.groupBy(found, ({ name }) => name);
  const created = new Map<Spec, EvalDefinitionRow>();
  const idBySpec = new Map<Spec, string>();
  for (const spec of specs) {
    const columns = configColumns(fromJson(GlobalConfigSchema, spec.config));
    const same = byName.get(spec.name)?.find(({ comparison }) => isDeepStrictEqual(comparison, columns.comparison));
    if (same !== undefined) {
      idBySpec.set(spec, same.id);
      continue;
    }
    const row: EvalDefinitionRow = {
      ...newResource(deps, call),
      type: "OUTPUT_MATCH",
      name: spec.name,
      ...columns,
      styleGuideId: null,
      quickstartId: null,
      version: 1,
      status: "ACTIVE",
    };
    created.set(spec, row);
    idBySpec.set(spec, row.id);
  }
  return { idBySpec, created };
}
