import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isRefreshedBy } from "../api/query.ts";
import { send } from "../api/send.ts";
import { type RerunRequest, refreshedByTests, rerun } from "./test-requests.ts";

/** Mutation that evaluates all matching evaluations again, in as many requests as the API needs. */
export function useRescore() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (selection: RerunRequest) => {
      const next = () => send(rerun(selection), { idempotencyKey: crypto.randomUUID() });
      let answer = await next();
      // Evaluations that fail again meanwhile match again, so stop at the number that matched first.
      const due = answer.count + answer.remaining;
      let done = answer.count;
      while (answer.remaining > 0 && answer.count > 0 && done < due) {
        answer = await next();
        done += answer.count;
      }
      return { count: done, archived: answer.archived };
    },
    onSettled: () => client.invalidateQueries({ predicate: isRefreshedBy(refreshedByTests) }),
  });
}
