import { useNavigate } from "@tanstack/react-router";
import { useChange } from "../api/query.ts";
import { Page } from "../ui/page.tsx";
import { newDraft, settingsOf } from "./definition-draft.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { createDefinition, refreshedByDefinitions } from "./definition-requests.ts";
import { definitionsParent } from "./definitions-parent.ts";

export default function NewDefinitionPage() {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useChange(createDefinition, {
    refreshes: refreshedByDefinitions,
    onDone: ({ data }) =>
      void navigate({ to: "/definitions/$definitionId", params: { definitionId: data.id }, replace: true }),
  });
  return (
    <Page title="New definition" parent={definitionsParent} requests={[]}>
      <DefinitionEditor
        initial={newDraft}
        onSave={({ type, name, ...draft }) => mutate({ type, name, ...settingsOf({ type, name, ...draft }) })}
        isSaving={isPending}
        error={error}
      />
    </Page>
  );
}
