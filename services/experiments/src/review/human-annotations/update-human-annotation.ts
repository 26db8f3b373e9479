import { failure, invalidField, notFound } from "@ems/kit/errors";
import { definedFields, textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { HumanAnnotationService } from "@ems/proto/experiments/v1/human_annotation_service";
import { namedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { markTest } from "../calibration/index.ts";
import { HumanAnnotationEntity, humanAnnotationVersions } from "./entity.ts";
import { issueOfFailure } from "./issue-of-failure.ts";
import { humanAnnotation } from "./messages.ts";

/** Minimum number of characters in the critique of a failed trace, counted as the API counts them. */
const critiqueMin = 20;

type Handler = Handlers<typeof HumanAnnotationService>["updateHumanAnnotation"];

/** Updates the caller's annotation. */
export function updateHumanAnnotation(deps: Pick<Deps, "database" | "publish" | "clock" | "newId" | "users">): Handler {
  return ({ id, verdict, critique }, call) =>
    deps.database.changeAfter(
      call,
      () => namedUsers(deps.users, call, [call.tenant.userId]),
      async (tx, people) => {
        const key = { applicationId: call.tenant.applicationId, id };
        const row = await tx.findOne(HumanAnnotationEntity, key, { lock: "UPDATE" });
        if (row === null) throw notFound("Human annotation");
        if (row.annotatorId !== call.tenant.userId)
          throw failure("STATE_CONFLICT", "Only its annotator can change a human annotation");
        humanAnnotationVersions.check(call, row);
        const change = { ...definedFields({ verdict, critique: textOrNull(critique) }), modifiedAt: deps.clock.now() };
        const changed = { ...row, ...change };
        if (!changed.verdict && [...(changed.critique ?? "")].length < critiqueMin) {
          const message = `A critique of at least ${critiqueMin} characters is required when verdict is false`;
          throw invalidField(["critique"], message);
        }
        tx.deferUpdate(HumanAnnotationEntity, key, change);
        if (row.verdict !== changed.verdict) markTest(tx, call.tenant, { testId: row.testId });
        const becomesFailed = row.verdict && !changed.verdict;
        const issueId = becomesFailed ? await issueOfFailure(deps, tx, call, changed) : row.issueId;
        humanAnnotationVersions.answer(call, { ...changed, issueId });
        return { data: humanAnnotation({ ...changed, issueId }, people) };
      },
    );
}
