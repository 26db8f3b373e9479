// Form to review a pending trace of a queue, by the queue's evaluator and by others that judged the trace.

import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useMemo } from "react";
import { read } from "../api/query.ts";
import { sessionQuery } from "../session/session.ts";
import { listEvaluations } from "../tests/test-requests.ts";
import { JudgementForm } from "./judgement-form.tsx";
import { listCriteria, restorePass } from "./pass.ts";
import { listAnnotationsOfItem } from "./review-requests.ts";

type FormProps = ComponentProps<typeof JudgementForm>;

export function PendingReview({ item, ...props }: Omit<FormProps, "criteria" | "restored">) {
  const evaluations = useQuery(read(listEvaluations(item.traceId)));
  const annotations = useQuery(read(listAnnotationsOfItem(item.id))).data?.data;
  const userId = useQuery(sessionQuery).data?.data?.user?.id;
  const judged = evaluations.data?.data;
  const criteria = useMemo(() => listCriteria(item, judged ?? []), [item, judged]);
  const restored = useMemo(
    // Restore only with the names of all evaluators.
    () => (annotations === undefined || judged === undefined ? undefined : restorePass(annotations, userId, criteria)),
    [annotations, judged, userId, criteria],
  );
  return <JudgementForm {...props} item={item} criteria={criteria} restored={restored} />;
}
