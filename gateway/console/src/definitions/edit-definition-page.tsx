import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useChange } from "../api/query.ts";
import { Detail } from "../ui/detail.tsx";
import { Page } from "../ui/page.tsx";
import { draftOf, settingsOf } from "./definition-draft.ts";
import { DefinitionEditor } from "./definition-editor.tsx";
import { type Definition, getDefinition, refreshedByDefinitions, updateDefinition } from "./definition-requests.ts";
import { definitionsParent } from "./definitions-parent.ts";

const route = getRouteApi("/signed-in/definitions/$definitionId/edit");

export default function EditDefinitionPage() {
  const { definitionId } = route.useParams();
  return (
    <Detail request={getDefinition(definitionId)} title="Edit definition" parent={definitionsParent}>
      {({ data }) => <EditDefinition key={data.id} definition={data} />}
    </Detail>
  );
}

function EditDefinition({ definition }: { readonly definition: Definition }) {
  const { id } = definition;
  const navigate = useNavigate();
  const { mutate, isPending, error } = useChange(updateDefinition, {
    refreshes: refreshedByDefinitions,
    onDone: () => void navigate({ to: "/definitions/$definitionId", params: { definitionId: id } }),
  });
  return (
    <Page title={`Edit ${definition.name}`} parent={definitionsParent} requests={[getDefinition(id)]}>
      <DefinitionEditor
        initial={draftOf(definition)}
        definitionId={id}
        // Settings that are left out stay as they were: none is an empty object.
        onSave={(draft) => mutate({ id, name: draft.name, globalConfig: {}, ...settingsOf(draft) })}
        isSaving={isPending}
        error={error}
      />
    </Page>
  );
}
