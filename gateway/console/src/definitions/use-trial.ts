import { useNew } from "../edits/use-new.ts";
import type { DefinitionDraft } from "./definition-draft.ts";
import { tryDefinition } from "./definition-requests.ts";
import { newTrial, toTrialRequest } from "./trial-draft.ts";

/** Shows an issue with any item at the whole list. */
const names = { expected: "expected", context: "context" };

/** Holds the form for the trial of a definition, stored or not. */
export function useTrial(definition: DefinitionDraft) {
  const form = useNew({
    newDraft: () => newTrial,
    create: (draft) => tryDefinition(toTrialRequest(definition, draft)),
    refreshes: [],
    isRepeatable: true,
    names,
  });
  return { definition, form };
}

export type Trial = ReturnType<typeof useTrial>;
