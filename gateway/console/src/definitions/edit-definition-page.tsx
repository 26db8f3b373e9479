import { getRouteApi } from "@tanstack/react-router";
import { Detail } from "../ui/detail.tsx";
import { Page } from "../ui/page.tsx";
import { DefinitionEditor } from "./definition-editor.tsx";
import { getDefinition } from "./definition-requests.ts";
import { definitionsParent } from "./definitions-parent.ts";

const route = getRouteApi("/signed-in/definitions/$definitionId/edit");

export default function EditDefinitionPage() {
  const { definitionId } = route.useParams();
  const request = getDefinition(definitionId);
  return (
    <Detail request={request} title="Edit evaluator" parent={definitionsParent}>
      {({ data: { id, name } }, loaded) => (
        <Page title={`Edit ${name}`} parent={definitionsParent} requests={[request]}>
          <DefinitionEditor key={id} definition={loaded} />
        </Page>
      )}
    </Detail>
  );
}
