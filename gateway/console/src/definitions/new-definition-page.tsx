import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../api/query.ts";
import { Page } from "../ui/page.tsx";
import { newDraft, settingsOf } from "./definition-draft.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { createDefinition, refreshedByDefinitions } from "./definition-requests.ts";
import { definitionsParent } from "./definitions-parent.ts";

export default function NewDefinitionPage() {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(newDraft);
  const { mutate, isPending, error } = useChange(createDefinition, {
    refreshes: refreshedByDefinitions,
    onDone: ({ data }) =>
      void navigate({ to: "/definitions/$definitionId", params: { definitionId: data.id }, replace: true }),
  });
  return (
    <Page title="New definition" parent={definitionsParent} requests={[]}>
      <DefinitionEditor
        draft={draft}
        onDraft={(change) => setDraft((before) => ({ ...before, ...change }))}
        onSave={() => mutate({ type: draft.type, name: draft.name, ...settingsOf(draft) })}
        isSaving={isPending}
        error={error}
      />
    </Page>
  );
}
