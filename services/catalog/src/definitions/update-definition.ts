import { create } from "@bufbuild/protobuf";
import type { Value } from "@bufbuild/protobuf/wkt";
import { invalidRequest, notFound } from "@ems/kit/errors";
import { findViolations } from "@ems/kit/json/validate";
import type { Handlers } from "@ems/kit/rpc/service";
import { CreateDefinitionRequestSchema, type DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import type { Deps } from "../deps.ts";
import { requireReferences } from "../references/index.ts";
import { linkedApplication } from "./application.ts";
import { EvalDefinitionEntity, type EvalDefinitionRow } from "./entity.ts";
import { evalDefinition } from "./messages.ts";
import { findDefinition } from "./queries.ts";

type Handler = Handlers<typeof DefinitionService>["updateDefinition"];

/** Changes what is given of an evaluation definition of the caller's application. */
export function updateDefinition({ database, clock, applications }: Deps): Handler {
  return async ({ id, name, globalConfig, styleGuideId }, call) => {
    const found = await findDefinition(database, call, id);
    if (found === undefined) throw notFound("Evaluation definition");
    // Asked before the transaction: no row stays locked while another service thinks.
    const application = await linkedApplication(applications, call, [found]);

    return database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, id };
      const row = await tx.getOne(EvalDefinitionEntity, key, { lock: "UPDATE" });
      const change = {
        name: name ?? row.name,
        criterion: globalConfig === undefined ? row.criterion : (globalConfig.criterion ?? null),
        styleGuideId: styleGuideId === undefined ? row.styleGuideId : idOf(styleGuideId),
        modifiedAt: clock.now(),
      };
      requireSound({ ...row, ...change });
      await requireReferences(tx, key.applicationId, { styleGuide: change.styleGuideId });
      await tx.update(EvalDefinitionEntity, key, change);
      return { data: evalDefinition({ ...found, ...change }, application) };
    });
  };
}

/** The request's rules let nothing through but a UUID and null. */
function idOf({ kind }: Value): string | null {
  return kind.case === "stringValue" ? kind.value.toLowerCase() : null;
}

/** The rules between a definition's fields stand at the request that creates one; its fields are called the same. */
function requireSound({ type, name, criterion, styleGuideId }: EvalDefinitionRow): void {
  const whole = create(CreateDefinitionRequestSchema, {
    type: EvalDefinitionType[type],
    name,
    globalConfig: criterion === null ? {} : { criterion },
    ...(styleGuideId !== null && { styleGuideId }),
  });
  const broken = findViolations(CreateDefinitionRequestSchema, whole);
  if (broken.length > 0) throw invalidRequest(broken);
}
