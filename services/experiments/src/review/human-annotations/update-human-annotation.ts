import { failure, invalidField, notFound } from "@ems/kit/errors";
import { fromValue } from "@ems/kit/json/free-value";
import { definedFields, textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { HumanAnnotationService } from "@ems/proto/experiments/v1/human_annotation_service";
import { namedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { markDefinition } from "../calibration/index.ts";
import { findScoreFault } from "../criteria/index.ts";
import { type Criteria, loadCriteria } from "./criteria.ts";
import {
  HumanAnnotationEntity,
  type HumanAnnotationRow,
  humanAnnotationById,
  humanAnnotationVersions,
} from "./entity.ts";
import { issueOfFailures } from "./issue-of-failure.ts";
import { humanAnnotation } from "./messages.ts";
import { checkCritique, lockPass, shareWithPass } from "./passes.ts";

type Handler = Handlers<typeof HumanAnnotationService>["updateHumanAnnotation"];

/** Updates the caller's annotation. */
export function updateHumanAnnotation(
  deps: Pick<Deps, "database" | "publish" | "clock" | "newId" | "users" | "references">,
): Handler {
  return ({ id, verdict, critique, score }, call) =>
    deps.database.changeAfter(
      call,
      async () => {
        const people = await namedUsers(deps.users, call, [call.tenant.userId]);
        const { traceId, definitionId } = await humanAnnotationById.read(deps.database, call, id);
        return { people, criteria: await loadCriteria(deps, call, traceId, definitionId) };
      },
      async (tx, { people, criteria }) => {
        const key = { applicationId: call.tenant.applicationId, id };
        const row = await tx.findOne(HumanAnnotationEntity, key, { lock: "UPDATE" });
        if (row === null) throw notFound("Human annotation");
        if (row.annotatorId !== call.tenant.userId)
          throw failure("STATE_CONFLICT", "Only its annotator can change a human annotation");
        humanAnnotationVersions.check(call, row);
        const number = score === undefined ? undefined : fromValue(score);
        const change = {
          ...definedFields({ verdict, critique: textOrNull(critique) }),
          ...(number !== undefined && {
            scoreMicro: typeof number === "number" ? String(Math.round(number * 1e6)) : null,
          }),
          modifiedAt: deps.clock.now(),
        };
        const changed = { ...row, ...change };
        checkScore(criteria, changed);
        const siblings = critique === undefined && row.verdict === changed.verdict ? [] : await lockPass(tx, row);
        checkCritique(critique === undefined ? [changed] : [changed, ...siblings], changed.critique, true);
        tx.deferUpdate(HumanAnnotationEntity, key, change);
        if (row.verdict !== changed.verdict || row.scoreMicro !== changed.scoreMicro)
          markDefinition(tx, call.tenant, row.definitionId);
        const issueId =
          row.verdict === changed.verdict
            ? row.issueId
            : await issueOfFailures(deps, tx, call, changed, siblings, criteria.names);
        shareWithPass(tx, siblings, { critique: changed.critique, issueId, modifiedAt: change.modifiedAt });
        humanAnnotationVersions.answer(call, { ...changed, issueId });
        return { data: humanAnnotation({ ...changed, issueId }, people) };
      },
    );
}

function checkScore({ own }: Criteria, { scoreMicro, verdict }: HumanAnnotationRow): void {
  if (scoreMicro === null) return;
  if (own === undefined)
    throw invalidField(["score"], "A score requires a definition: it is on the definition's scale");
  const fault = findScoreFault(own, Number(scoreMicro) / 1e6, verdict);
  if (fault !== undefined) throw invalidField(["score"], fault);
}
